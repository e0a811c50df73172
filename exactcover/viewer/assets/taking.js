// Taking a picture along: to the clipboard, as a file, on paper.

import { make, say } from "./data.js";

export async function copyText(content) {
  try {
    await navigator.clipboard.writeText(content);
    say("copied");
  } catch {
    say("the browser does not allow copying here");
  }
}

// Save a picture as PNG, on white paper.
export function savePng(svg) {
  if (!svg) return;
  const box = svg.viewBox.baseVal;
  const scale = Math.max(2, Math.ceil(1600 / box.width));
  const image = new Image();
  image.onload = () => {
    const canvas = make("canvas", { width: String(box.width * scale), height: String(box.height * scale) });
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    make("a", { href: canvas.toDataURL("image/png"), download: "solution.png" }).click();
  };
  const whole = svg.outerHTML.replace("<svg ", `<svg width="${box.width}" height="${box.height}" `);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole)}`;
}
