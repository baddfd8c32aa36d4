// A QR code of a page as a camera would read it.
import jsQRModule from 'jsqr';

// The types of the package know no default export, Node gives it as one.
const jsQR = jsQRModule as unknown as typeof jsQRModule.default;
const scale = 4;

/** Draws the path of the SVG into pixels, as a screen would. Undefined when nothing can be read. */
export function readSvgCode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const start = (row * width + Number(x) * scale) * 4;
      pixels.fill(0, start, start + Number(length) * scale * 4);
    }
  }
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
  return jsQR(pixels, width, width)?.data;
}
