// The package has no types of its own; this is the part that tests use.
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(png: Uint8Array): {
        readonly width: number;
        readonly height: number;
        readonly data: Uint8Array;
      };
    };
  };
}
