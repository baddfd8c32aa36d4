/** For screens with one, and with two pixels where a page counts one. */
export type LogoScale = 1 | 2;

/**
 * What can be seen: `dark` or `light` around transparent parts, which vanishes on a ground of the
 * same kind; `mixed` can be seen on any.
 */
export type LogoInk = 'dark' | 'light' | 'mixed';

/** A picture that we drew ourselves, in WebP. */
export type LogoDrawing = {
  readonly scale: LogoScale;
  /** Of the content: 32 hexadecimal digits. */
  readonly hash: string;
  readonly ink: LogoInk;
  readonly width: number;
  readonly height: number;
  readonly content: Uint8Array;
};

/** What a page needs to show it. Sizes are those of the plain drawing. */
export type Logo = {
  readonly hash: string;
  readonly fineHash: string;
  readonly ink: LogoInk;
  readonly width: number;
  readonly height: number;
};
