import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BLACK,
  type Color,
  colorText,
  contrast,
  fromOklch,
  parseColor,
  readableColor,
  toOklch,
  WHITE,
} from '#look/color.ts';
import { FONT_NAMES, fontStack } from '#look/page-font.ts';
import { MODES, paletteOf, SHEETS } from '#look/palette.ts';
import { type ThemeChoice, themeText } from './theme.ts';

const SHEET = readFileSync(join(import.meta.dirname, '../assets/page.css'), 'utf8');
const part = fc.nat(255);
const anyColor: fc.Arbitrary<Color> = fc.tuple(part, part, part);
const anyText = fc.option(anyColor.map(colorText), { nil: null });
const anyChoice: fc.Arbitrary<ThemeChoice> = fc.record({
  primaryColor: anyText,
  backgroundColor: anyText,
});

test('contrast is that of WCAG', () => {
  assert.equal(contrast(BLACK, WHITE), 21);
  // The two greys that stand on both sides of 4.5 on white.
  assert.ok(contrast([118, 118, 118], WHITE) >= 4.5);
  assert.ok(contrast([119, 119, 119], WHITE) < 4.5);
  assert.ok(Math.abs(contrast([255, 0, 0], WHITE) - 3.998) < 0.001);
  assert.ok(Math.abs(contrast([0, 0, 255], WHITE) - 8.592) < 0.001);
});

test('OKLCH is that of its author: white, red, green, blue', () => {
  const rounded = (color: Color) => {
    const { lightness, chroma, hue } = toOklch(color);
    return [lightness.toFixed(3), chroma.toFixed(3), ((hue * 180) / Math.PI).toFixed(1)];
  };
  assert.deepEqual(rounded(WHITE).slice(0, 2), ['1.000', '0.000']);
  assert.deepEqual(rounded([255, 0, 0]), ['0.628', '0.258', '29.2']);
  assert.deepEqual(rounded([0, 255, 0]), ['0.866', '0.295', '142.5']);
  assert.deepEqual(rounded([0, 0, 255]), ['0.452', '0.313', '-95.9']);
});

test('a colour goes there and back unchanged', () => {
  fc.assert(fc.property(anyColor, (color) => assert.deepEqual(fromOklch(toOklch(color)), color)));
});

test('only #rrggbb is a colour', () => {
  assert.deepEqual(parseColor('#0f6B63'), [15, 107, 99]);
  for (const text of [
    '#fff',
    'red',
    '#0f6b6',
    '#0f6b63ff',
    '0f6b63',
    '#0f6b63;',
    '#0f6b63\n',
    '#0f6b6g',
    '',
  ]) {
    assert.equal(parseColor(text), undefined, text);
  }
});

test('every colour can be read on every ground, and what can be read stays', () => {
  fc.assert(
    fc.property(anyColor, anyColor, fc.constantFrom(3, 4.5), (color, ground, ratio) => {
      const readable = readableColor(color, [ground], ratio);
      assert.ok(contrast(readable, ground) >= ratio);
      if (contrast(color, ground) >= ratio) assert.deepEqual(readable, color);
    }),
    { numRuns: 5000 },
  );
});

test('whatever a merchant chooses, text has 4.5 and edges have 3, in light and in dark', () => {
  fc.assert(
    fc.property(anyChoice, fc.constantFrom(...MODES), (choice, mode) => {
      const palette = paletteOf(choice, mode);
      const { card, fields } = SHEETS[mode];
      const atLeast = (color: Color, grounds: readonly Color[], ratio: number, name: string) => {
        for (const ground of grounds) {
          const reached = contrast(color, ground);
          assert.ok(
            reached >= ratio,
            `${mode} ${name} ${colorText(color)} on ${colorText(ground)}: ${reached}`,
          );
        }
      };
      for (const name of ['groundInk', 'groundSoft', 'groundAccent'] as const) {
        atLeast(palette[name], [palette.ground], 4.5, name);
      }
      atLeast(palette.accent, [card, ...fields], 4.5, 'accent');
      atLeast(palette.edge, [card, ...fields], 3, 'edge');
      atLeast(palette.onFill, [palette.fill], 4.5, 'onFill');
      atLeast(SHEETS.light.ink, [palette.underDark], 3, 'dark logo');
      atLeast(WHITE, [palette.underLight], 3, 'light logo');
    }),
    { numRuns: 5000 },
  );
});

test('a button has the colour that was chosen, a light ground too; in the dark the ground is dark', () => {
  fc.assert(
    fc.property(anyColor, anyColor, (primary, background) => {
      const choice = { primaryColor: colorText(primary), backgroundColor: colorText(background) };
      assert.deepEqual(paletteOf(choice, 'light').fill, primary);
      assert.deepEqual(paletteOf(choice, 'dark').fill, primary);
      assert.deepEqual(paletteOf(choice, 'light').ground, background);
      assert.ok(contrast(paletteOf(choice, 'dark').ground, WHITE) >= 12);
    }),
  );
});

test('the text of a theme holds variables and colours, and nothing that was typed', () => {
  assert.equal(themeText({ primaryColor: null, backgroundColor: null }), undefined);
  for (const text of ['red', '#fff', '#000000}body{display:none', '</style><script>', 'url(//x)']) {
    assert.equal(themeText({ primaryColor: text, backgroundColor: text }), undefined, text);
  }
  fc.assert(
    fc.property(anyChoice, (choice) => {
      const text = themeText(choice)?.markup;
      if (text === undefined) return;
      const left = text.replaceAll(/--[a-z-]+:#[0-9a-f]{6};?/g, '');
      assert.match(
        left,
        /^@media screen\{body\{\}[a-z.,]+\{\}@media \(prefers-color-scheme:dark\)\{body\{\}[a-z.,]+\{\}\}\}$/,
      );
    }),
  );
});

test('font and corners are variables of the sheet, and what is usual says nothing', () => {
  const colors = { primaryColor: null, backgroundColor: null };
  assert.equal(themeText({ ...colors, font: 'system', cornerRadius: 16 }), undefined);
  const text = themeText({ ...colors, font: 'serif', cornerRadius: 0 })?.markup ?? '';
  assert.match(text, /^:root\{--font:[A-Za-z," ]+;--radius:0px\}$/);
  for (const name of FONT_NAMES) assert.match(fontStack(name), /^[A-Za-z0-9," -]+$/, name);
  // Whatever has corners follows the one variable, circles apart.
  const corners = [...SHEET.matchAll(/border-radius: ([^;]+);/g)].map(([, value]) => value);
  const others = corners.filter((value) => !value?.includes('var(--radius)') && value !== '50%');
  assert.deepEqual(others, []);
});

test('the colours without a brand are those of the stylesheet', () => {
  const [light = '', dark = ''] = [...SHEET.matchAll(/:root \{([^}]+)\}/g)].map(
    (match) => match[1],
  );
  const value = (text: string, name: string) => {
    const digits = new RegExp(`--${name}: #([0-9a-f]+);`).exec(text)?.[1] ?? '';
    return parseColor(`#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`);
  };
  for (const [mode, text] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const { ground, card, fields, ink, soft, accent } = SHEETS[mode];
    const names = ['ground', 'card', 'field', 'warn-ground', 'ink', 'soft', 'accent'];
    assert.deepEqual(
      names.map((name) => value(text, name)),
      [ground, card, ...fields, ink, soft, accent],
    );
  }
});

/** Variables by name, as they stand in a rule; later ones win. */
function variablesIn(...rules: readonly string[]): Map<string, string> {
  return new Map(
    rules.flatMap((rule) =>
      [...rule.matchAll(/--([a-z-]+): ?([^;}]+)/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    ),
  );
}

function colorOf(variables: ReadonlyMap<string, string>, value: string): Color {
  const name = /^var\(--([a-z-]+)\)$/.exec(value)?.[1];
  if (name !== undefined) return colorOf(variables, variables.get(name) ?? '');
  const digits = value.replace('#', '');
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const color = parseColor(`#${long}`);
  assert.ok(color !== undefined, `${value} is a colour`);
  return color;
}

/** What the sheet says of one class, wherever it says it. */
function declared(className: string, property: string): string | undefined {
  const rules = [...SHEET.matchAll(/([^{}]+)\{([^{}]+)\}/g)].filter(([, selectors = '']) =>
    selectors.split(',').some((selector) => selector.trim() === `.${className}`),
  );
  const pattern = new RegExp(`(?:^|[;\\s])${property}: ([^;]+);`);
  return rules.map(([, , body = '']) => pattern.exec(body)?.[1]).findLast(Boolean);
}

test('warnings and notices can be read on every ground that a brand has, in light and in dark', () => {
  const [light = '', dark = ''] = [...SHEET.matchAll(/:root \{([^}]+)\}/g)].map(([, body]) => body);
  const boxes = ['warning', 'notice', 'strip', 'sandbox'].map((name) => {
    const background = declared(name, 'background');
    const own = declared(name, 'color');
    assert.ok(background !== undefined && own !== undefined, `${name} brings its own ground`);
    return { name, own, background };
  });
  fc.assert(
    fc.property(anyChoice, fc.constantFrom(...MODES), (choice, mode) => {
      const isDark = mode === 'dark';
      const theme = [...(themeText(choice)?.markup ?? '').matchAll(/([a-z.,]+)\{(--[^}]+)\}/g)].map(
        ([, selectors = '', body = '']) => ({ selectors: selectors.split(','), body }),
      );
      // The rules for light come first, those for dark after them.
      const rules = isDark ? theme : theme.slice(0, theme.length / 2);
      const set = (selector: string) =>
        rules.filter(({ selectors }) => selectors.includes(selector)).map(({ body }) => body);
      const around = [light, ...(isDark ? [dark] : []), ...set('body')];
      for (const { name, own, background } of boxes) {
        const variables = variablesIn(...around, ...set(`.${name}`));
        const ground = colorOf(variables, background);
        // Beside its own words: strong and soft ones, and links.
        for (const text of [own, 'var(--warn)', 'var(--ink)', 'var(--soft)', 'var(--accent)']) {
          const reached = contrast(colorOf(variables, text), ground);
          assert.ok(
            reached >= 4.5,
            `${mode} ${name} ${text} ${JSON.stringify(choice)}: ${reached}`,
          );
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('what warns in its colour alone stands on a card, and can be read there', () => {
  const warn = { light: '#7a4100', dark: '#ffd591' } as const;
  for (const mode of MODES) {
    assert.ok(SHEET.includes(`--warn: ${warn[mode]};`), mode);
    const { card, fields } = SHEETS[mode];
    for (const ground of [card, ...fields]) {
      assert.ok(contrast(colorOf(new Map(), warn[mode]), ground) >= 4.5, mode);
    }
  }
});
