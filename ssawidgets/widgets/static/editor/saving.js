// Taking something away: the program as text, the picture as SVG or PNG. Files are made in the page; nothing is fetched.

const PNG_SCALE = 2;

const saving = {
  // What a file of this program may be called: the function's name, letters that every system takes.
  fileName(ending) {
    const name = /^[^(:]*/.exec(this.state.scene.title)[0].trim();
    return `${name.replace(/[^\p{L}\p{N}_-]+/gu, "_") || "program"}.${ending}`;
  },

  // Give a file to the browser as a download.
  download(blob, name) {
    const address = URL.createObjectURL(blob);
    const link = html("a", { href: address, download: name, hidden: true });
    this.root.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    this.say(`Saved as ${name}.`);
  },

  // The program's text, from Python or, without a kernel, from the notebook.
  withText(use) {
    if (this.offline) return use(JSON.parse(this.model.get("_state")).text);
    this.command("program", {}, ({ accepted, text }) => accepted && use(text));
  },

  copyText() {
    this.withText(async (text) => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // A page from afar without https has no clipboard; a selection can still be copied.
        const area = html("textarea", { class: "ssaw-ed-unseen", "aria-label": "Program", ...OWN_KEYS });
        area.value = text;
        this.root.append(area);
        area.select();
        const copied = document.execCommand("copy");
        area.remove();
        if (!copied) return this.say("The browser did not let the text be copied. Open Text and copy it from there.", true);
      }
      this.say("The program's text is on the clipboard.");
    });
  },

  saveText() {
    this.withText((text) => this.download(new Blob([text], { type: "text/plain" }), this.fileName("txt")));
  },

  // Ask Python for the present picture, in the colours of the page.
  withPicture(use) {
    const theme = getComputedStyle(this.root).colorScheme.includes("dark") ? "dark" : "light";
    this.command("picture", { theme }, ({ accepted, text }) => accepted && use(text));
  },

  saveSvg() {
    this.withPicture((text) => this.download(new Blob([text], { type: "image/svg+xml" }), this.fileName("svg")));
  },

  savePng() {
    this.withPicture((text) => {
      const image = new Image();
      image.onload = () => {
        const canvas = html("canvas");
        canvas.width = image.naturalWidth * PNG_SCALE;
        canvas.height = image.naturalHeight * PNG_SCALE;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => {
          if (blob) this.download(blob, this.fileName("png"));
          else this.say("The picture is too large for a PNG. Save it as SVG.", true);
        });
      };
      image.onerror = () => this.say("The browser could not draw the picture. Save it as SVG.", true);
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    });
  },
};
