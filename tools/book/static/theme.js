// The reader's choice of light or dark, before anything is drawn. Without one, the system's holds. The attribute is the
// one by which JupyterLab says it, so the widgets' style sheets know it already.
"use strict";

const theme = {
  get() {
    try {
      return localStorage.getItem("ssawidgets.theme") ?? "";
    } catch {
      return "";
    }
  },
  set(name) {
    theme.show(name);
    try {
      localStorage.setItem("ssawidgets.theme", name);
    } catch {
      // A browser that keeps nothing keeps the theme for this page.
    }
  },
  show(name) {
    if (name) document.documentElement.dataset.jpThemeLight = String(name === "light");
    else delete document.documentElement.dataset.jpThemeLight;
  },
};
theme.show(theme.get());
