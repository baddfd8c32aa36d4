// Icons are drawn, not stored: a disc in the colour of the thing with its letters. Own drawings, so
// that nobody's trademark file is in the repository.
import { assert } from '#base/assert.ts';
import { listAssets } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';

/** SVG text. The code has at most 5 letters or digits, the colour the form #rrggbb. */
export function iconSvg(code: string, hexColor: string): string {
  assert(/^[A-Z0-9]{1,5}$/.test(code), `not letters for an icon: ${code}`);
  assert(/^#[0-9a-f]{6}$/.test(hexColor), `not a colour: ${hexColor}`);
  const ink = isLight(hexColor) ? '#000000' : '#ffffff';
  const size = [26, 26, 22, 18, 15, 12][code.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"
 role="img" aria-label="${code}">
<circle cx="24" cy="24" r="24" fill="${hexColor}"/>
<text x="24" y="24" fill="${ink}" font-family="system-ui, sans-serif" font-size="${size}"
 font-weight="700" text-anchor="middle" dominant-baseline="central">${code}</text>
</svg>
`;
}

const icons = new Map<string, string>();
for (const { imageSrc, id, hexColor } of listNetworks()) {
  icons.set(imageSrc, iconSvg(id.replaceAll('_', '').slice(0, 3), hexColor));
}
for (const { imageSrc, assetCode, groupImageSrc, group, hexColor } of listAssets()) {
  icons.set(imageSrc, iconSvg(assetCode, hexColor));
  // A group that has an asset of its own name wears its colour, whichever asset is listed first.
  if (group === assetCode || !icons.has(groupImageSrc)) {
    icons.set(groupImageSrc, iconSvg(group, hexColor));
  }
}

/**
 * The picture at a path that `imageSrc` or `groupImageSrc` names: '/images/networks/bitcoin.svg'.
 */
export function findIconSvg(imageSrc: string): string | undefined {
  return icons.get(imageSrc);
}

/** Black has more contrast than white from a relative luminance of about 0.18 (WCAG 2.2). */
function isLight(hexColor: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hexColor.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}
