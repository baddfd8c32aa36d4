import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byLength } from '#test/support/run-length.ts';
import { type Color, colorText, contrast } from './color.ts';
import { colorFaultText, listColorFaults } from './list-color-faults.ts';
import { COLOR_ROLES, type ColorChoice, MODES, type OwnColor, paletteOf } from './palette.ts';

const nothing = { primaryColor: null, backgroundColor: null };
const faultsOf = (...colors: readonly OwnColor[]) =>
  listColorFaults({ ...nothing, colors }).map(
    ({ mode, role, ground }) => `${mode}-${role} on ${ground}`,
  );

test('each colour is measured on whatever it is read on', () => {
  const cases: readonly (readonly [colors: readonly OwnColor[], faults: readonly string[]])[] = [
    [[], []],
    [['light-text=#000000', 'dark-text=#ffffff'], []],
    [
      ['dark-text=#000000'],
      ['background', 'surface', 'field', 'field'].map((ground) => `dark-text on ${ground}`),
    ],
    // What is not chosen follows what is.
    [['light-surface=#000000', 'light-background=#ffffff'], []],
    [
      ['light-surface=#101010', 'light-text=#222222'],
      ['light-text on surface', 'light-text on field'],
    ],
    [['light-accent=#0a5f57', 'light-accent-text=#ffffff'], []],
    [['light-accent=#000000', 'light-accent-text=#333333'], ['light-accent-text on accent']],
    // An edge needs 3.
    [['light-border=#808080'], []],
    [['light-border=#c0c0c0'], ['light-border on background', 'light-border on surface']],
    [
      ['light-error=#ff8888'],
      ['light-error on surface', 'light-error on field', 'light-error on field'],
    ],
  ];
  for (const [colors, faults] of cases) assert.deepEqual(faultsOf(...colors), faults, `${colors}`);
});

test('a fault names the pair, its contrast and a colour that would do', () => {
  const [fault] = listColorFaults({ ...nothing, colors: ['light-text=#777777'] });
  assert.ok(fault !== undefined);
  const said = colorFaultText(fault);
  const pair = 'colors: light-text #777777 on light-background #f5f4f0';
  assert.ok(said.startsWith(`${pair} has a contrast of 4.06, which must be 4.5; `), said);
  assert.match(said, /; #[0-9a-f]{6} would do$/);
});

const part = fc.nat(255);
const anyColor: fc.Arbitrary<Color> = fc.tuple(part, part, part);
const anyOwn = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...MODES), fc.constantFrom(...COLOR_ROLES), anyColor), {
    selector: ([mode, role]) => `${mode}-${role}`,
  })
  .map((list) =>
    list.map(([mode, role, color]): OwnColor => `${mode}-${role}=${colorText(color)}` as OwnColor),
  );
const anyText = fc.option(anyColor.map(colorText), { nil: null });
const anyChoice: fc.Arbitrary<ColorChoice> = fc.record({
  ...{ primaryColor: anyText, backgroundColor: anyText, colors: anyOwn },
});

test('whatever is chosen and not refused can be read, and so can all that was not chosen', () => {
  fc.assert(
    fc.property(anyChoice, fc.constantFrom(...MODES), (choice, mode) => {
      const refused = new Set(
        listColorFaults(choice).map((fault) => `${fault.mode}-${fault.role}`),
      );
      const own = (role: string) =>
        choice.colors?.some((color) => color.startsWith(`${mode}-${role}=`)) ?? false;
      const palette = paletteOf(choice, mode);
      const inCard = [palette.card, ...palette.fields];
      const pairs: readonly (readonly [string, Color, readonly Color[]])[] = [
        ['text', palette.groundInk, [palette.ground]],
        ['text', palette.ink, inCard],
        ['muted', palette.groundSoft, [palette.ground]],
        ['muted', palette.soft, inCard],
        ['accent', palette.groundAccent, [palette.ground]],
        ['accent', palette.accent, inCard],
        ['accent-text', palette.onFill, [palette.fill]],
        ['warning', palette.warn, inCard],
        ['success', palette.good, inCard],
        ['error', palette.bad, inCard],
      ];
      for (const [role, color, grounds] of pairs) {
        if (own(role) && refused.has(`${mode}-${role}`)) continue;
        for (const ground of grounds) {
          const said = `${mode} ${role} ${colorText(color)} on ${colorText(ground)}`;
          assert.ok(contrast(color, ground) >= 4.5, said);
        }
      }
    }),
    { numRuns: byLength({ short: 100, long: 5000 }) },
  );
});

test('the colour that is offered instead is not refused', () => {
  fc.assert(
    fc.property(anyChoice, (choice) => {
      const [fault] = listColorFaults(choice);
      if (fault?.near === undefined) return;
      const name = `${fault.mode}-${fault.role}=`;
      const colors = choice.colors?.map((color) =>
        color.startsWith(name) ? (`${name}${fault.near}` as OwnColor) : color,
      );
      const left = listColorFaults({ ...choice, colors });
      assert.ok(!left.some(({ mode, role }) => mode === fault.mode && role === fault.role));
    }),
    { numRuns: byLength({ short: 100, long: 5000 }) },
  );
});
