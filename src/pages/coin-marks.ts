// The marks of coins and networks as people know them, drawn anew from lines and arcs: nobody's
// file is in the repository. Guarantees: each is smaller than a kilobyte and can be seen on a light
// and on a dark ground, because its own disc is under it.

type Mark = {
  /** Colour of the disc. */
  readonly disc: string;
  /** Around a disc that is light or dark itself. */
  readonly rim?: string;
  /** Colour of what is drawn on it; white when absent. */
  readonly ink?: string;
  /** Width of the lines in a box of 48; filled when absent. */
  readonly line?: number;
  /** The data of one path. */
  readonly path: string;
  readonly turned?: number;
};

const BITCOIN_PATH =
  'M19 14h7a5 5 0 0 1 0 10h-7zM19 24h8a5.5 5.5 0 0 1 0 11h-8zM19 14v21M22 10v4M27 10v4M22 35v4M27 35v4M15 14h4M15 35h4';
const DOLLAR_PATH =
  'M28.5 19.8c-.5-2-2.2-3-4.5-3-2.7 0-4.5 1.3-4.5 3.4 0 4.8 9.2 2.3 9.2 7.2 0 2.1-1.9 3.6-4.7 3.6-2.6 0-4.4-1.2-4.8-3.3M24 13.8v3M24 31v3.2';
const BOWS_PATH = 'M19 10.8a14 14 0 0 0 0 26.4M29 10.8a14 14 0 0 1 0 26.4';
const EURO_PATH = 'M28.6 18.2a7.4 7.4 0 1 0 0 11.6M15.5 22.4h10M15.5 25.9h9';
const ETHER_PATH = 'M24 6.5 13.6 24.6 24 30.8l10.4-6.2zM13.6 27.6 24 41.5l10.4-13.9L24 33.8z';
/** A house with pillars. */
const BANK_PATH =
  'M24 10 10 18v3h28v-3zM13 23h4v10h-4zM22 23h4v10h-4zM31 23h4v10h-4zM10 35h28v4H10z';
const DARK_INK = '#14181b';
const GREY_RIM = '#8b959b';

const BITCOIN: Mark = { disc: '#f7931a', line: 3, path: BITCOIN_PATH, turned: 14 };
const ETHER: Mark = { disc: '#627eea', path: ETHER_PATH };
const LITECOIN: Mark = { disc: '#345d9d', line: 4.2, path: 'M26 10 20 34h14M15 28l14-6' };
const XRP: Mark = {
  disc: '#fff',
  rim: GREY_RIM,
  ink: DARK_INK,
  line: 3.8,
  path: 'M12.5 13l8 7.8a5 5 0 0 0 7 0l8-7.8M12.5 35.5l8-7.8a5 5 0 0 1 7 0l8 7.8',
};
const LUMEN: Mark = {
  disc: '#fff',
  rim: GREY_RIM,
  ink: DARK_INK,
  line: 3,
  path: 'M12.4 26a11.7 11.7 0 0 1 18-11.6M35.6 22a11.7 11.7 0 0 1-18 11.6M8.5 29.5 39.5 13.8M8.5 34.2l31-15.7',
};
const POL: Mark = {
  disc: '#8247e5',
  line: 3.2,
  path: 'M27 21l5-2.9 5 2.9v5.6l-5 2.9-16-9.2-5 2.9v5.6l5 2.9 5-2.9',
};
const bank = (disc: string): Mark => ({ disc, path: BANK_PATH });

/** By the name of a network, and by the code of an asset. */
const MARKS: Readonly<Record<string, Mark>> = {
  BTC: BITCOIN,
  BITCOIN,
  WBTC: { ...BITCOIN, disc: '#5a4a7a', rim: '#b9a9da' },
  LIGHTNING: { disc: '#7a2fe0', path: 'M27.5 7.5 12 27h9.5L19 40.5 36 20H25.5z' },
  LTC: LITECOIN,
  LITECOIN,
  ETH: ETHER,
  ETHEREUM: ETHER,
  XRP,
  XRP_LEDGER: XRP,
  XLM: LUMEN,
  STELLAR: LUMEN,
  POL,
  POLYGON: POL,
  USDC: { disc: '#2775ca', line: 2.8, path: BOWS_PATH + DOLLAR_PATH },
  EURC: { disc: '#1a4fb8', line: 2.8, path: BOWS_PATH + EURO_PATH },
  USDT: {
    disc: '#1f8f6c',
    path: 'M13 11h22v6h-8v4.1c5.9.3 10.3 1.5 10.3 3s-4.4 2.7-10.3 3V37h-6V27.1c-5.9-.3-10.3-1.5-10.3-3s4.4-2.7 10.3-3V17h-8zm8 12.2c-3.9.2-6.8.7-6.8 1.3s3.8 1.3 9.8 1.3 9.8-.6 9.8-1.3-2.9-1.1-6.8-1.3v2h-6z',
  },
  DAI: {
    disc: '#f5ac37',
    ink: DARK_INK,
    line: 2.8,
    path: 'M17 12.5h6.5a11.5 11.5 0 0 1 0 23H17zM12 21.5h24M12 26.5h24',
  },
  BASE: {
    disc: '#0052ff',
    path: 'M24 9a15 15 0 1 1-14.9 16.5h19.5v-3H9.1A15 15 0 0 1 24 9z',
  },
  ARBITRUM: {
    disc: '#213147',
    rim: '#9dcced',
    line: 3.4,
    path: 'M13 34.5 22.4 12.5h3.2L35 34.5M21 34.5l6-14',
  },
  OPTIMISM: {
    disc: '#e6021d',
    line: 4,
    path: 'M16.5 18a5 6 0 1 0 .1 0zM27.5 32V18h4.2a4 4 0 0 1 0 8.4h-4',
  },
  SEPA: bank('#10298e'),
  SWIFT: bank('#00566b'),
  PIX: bank('#1f7a72'),
};

/** SVG text; undefined where only the letters of the code can be shown. */
export function markSvg(name: string): string | undefined {
  const mark = MARKS[name];
  if (mark === undefined) return undefined;
  const { disc, rim = disc, ink = '#fff', line, path, turned } = mark;
  const drawn =
    line === undefined
      ? `fill="${ink}"`
      : `fill="none" stroke="${ink}" stroke-width="${line}" stroke-linejoin="round"`;
  const turn = turned === undefined ? '' : ` transform="rotate(${turned} 24 24)"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"
 role="img" aria-label="${name}">
<circle cx="24" cy="24" r="23" fill="${disc}" stroke="${rim}" stroke-width="2"/>
<path ${drawn} d="${path}"${turn}/>
</svg>
`;
}
