// Which colours of a merchant cannot be read on what they stand on, by how much, and which colour
// near to them can. Pure.

import {
  type Color,
  colorText,
  contrast,
  readableColor,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
} from './color.ts';
import {
  COLOR_ROLES,
  type ColorChoice,
  type ColorRole,
  MODES,
  type Mode,
  ownColorsOf,
  paletteOf,
} from './palette.ts';

/** A field is a little apart from the surface it stands on; both are given as one colour. */
type GroundName = 'background' | 'surface' | 'field' | 'accent';

type ColorFault = {
  readonly mode: Mode;
  readonly role: ColorRole;
  readonly ground: GroundName;
  readonly color: string;
  readonly groundColor: string;
  readonly ratio: number;
  readonly least: number;
  /** Undefined: none can be read on all that it stands on, since some is light and some dark. */
  readonly near: string | undefined;
};

type Grounds = readonly (readonly [name: GroundName, color: Color])[];

export function listColorFaults(choice: ColorChoice): ColorFault[] {
  return MODES.flatMap((mode) => {
    const own = ownColorsOf(choice, mode);
    return COLOR_ROLES.flatMap((role) => {
      const color = own[role];
      return color === undefined ? [] : faultsOf(choice, mode, role, color);
    });
  });
}

function faultsOf(
  choice: ColorChoice,
  mode: Mode,
  role: ColorRole,
  color: Color,
): readonly ColorFault[] {
  const grounds = groundsOf(choice, mode, role);
  const least = role === 'border' ? SHAPE_CONTRAST : TEXT_CONTRAST;
  const all = grounds.map(([, ground]) => ground);
  const moved = readableColor(color, all, least);
  const isReadable = all.every((ground) => contrast(moved, ground) >= least);
  const near = isReadable ? colorText(moved) : undefined;
  return grounds.flatMap(([name, ground]) => {
    const ratio = contrast(color, ground);
    if (ratio >= least) return [];
    const shown = { color: colorText(color), groundColor: colorText(ground) };
    return [{ mode, role, ground: name, ...shown, ratio, least, near }];
  });
}

/** What each role is read on; nothing is read below a ground. */
function groundsOf(choice: ColorChoice, mode: Mode, role: ColorRole): Grounds {
  const { ground, card, fields, fill } = paletteOf(choice, mode);
  const background = ['background', ground] as const;
  const surface = ['surface', card] as const;
  const inside = fields.map((field) => ['field', field] as const);
  switch (role) {
    case 'background':
    case 'surface':
      return [];
    case 'accent-text':
      return [['accent', fill]];
    case 'border':
      return [background, surface];
    case 'success':
    case 'warning':
    case 'error':
      return [surface, ...inside];
    default:
      return [background, surface, ...inside];
  }
}

/** Two places, down: 4.499 is not 4.5. */
export function ratioText(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

export function colorFaultText(fault: ColorFault): string {
  const { mode, role, ground, color, groundColor, ratio, least, near } = fault;
  const pair = `${mode}-${role} ${color} on ${mode}-${ground} ${groundColor}`;
  const help =
    near === undefined ? 'no colour is readable on all it stands on' : `${near} would do`;
  return `colors: ${pair} has a contrast of ${ratioText(ratio)}, which must be ${least}; ${help}`;
}
