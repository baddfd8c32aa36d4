// English of the settings of a shop: says which texts there are.

import type { RiskLevel } from '#catalog/asset.ts';

const risks: Readonly<Record<RiskLevel, string>> = {
  LOW: 'Low: native to its network and widely redeemable',
  MEDIUM: 'Medium: also what trusted custodians bridge and redeem',
  HIGH: 'High: also what you take at your own risk',
};

export const enSettings = {
  title: 'Settings',
  pages: 'Pages',
  payments: 'Payments',
  domains: 'Own domain',
  export: 'Your data',
  exportHint:
    'Everything of this shop in one ZIP archive: customers, checkouts, invoices, links, refunds, transfers, events, the ledger and its reports, and who did what. It is written while you load it, and that you took it stands in the trail.',
  exportNot:
    'Keys, secrets and passwords are not in it. It holds what is personal of your customers: keep it as carefully as they would.',
  exportTake: 'Load everything',
  preview: 'Preview',
  shopName: 'Name of the shop',
  shopNameHint: 'In large letters on your pages. Empty: the name of the account.',
  contact: 'Contact',
  contactHint: 'A mail address or a web address, shown when a payment is in trouble.',
  sellerInfo: 'Your postal address',
  displaySellerInfo: 'Show your postal address',
  displayBuyerInfo: 'Show the billing address of the customer',
  explorerLinks: 'Link transactions to a public explorer',
  primaryColor: 'Colour of buttons',
  backgroundColor: 'Colour of the background',
  ownColor: (name: string) => `Use it: ${name}`,
  languages: 'Languages of your pages',
  languagesHint:
    'Customers read your pages in the one of these that their browser wants most. With none ticked, all are offered.',
  languagesFault: 'The language for all others has to be one of those that are ticked.',
  defaultLanguage: 'Language, where the browser wants none of these',
  returnCountdownSeconds: 'Seconds until a paid page returns to the shop',
  returnCountdownHint: '0 to 300; with 0 it does not return by itself.',
  embedOrigins: 'Shops that may show the page in a frame',
  embedOriginsHint: 'For example https://shop.example; several with commas.',
  logo: 'Logo',
  logoFile: 'Picture',
  logoHint: 'PNG, JPEG or WebP, up to 2 MB.',
  logoSet: 'Use this logo',
  logoRemove: 'Remove the logo',
  look: {
    title: 'Look',
    font: 'Font',
    fonts: {
      system: 'Of the device',
      humanist: 'Humanist',
      rounded: 'Rounded',
      serif: 'With serifs',
      mono: 'Typewriter',
    },
    cornerRadius: 'Rounding of corners, in pixels',
    cornerRadiusHint: (most: string) => `0 to ${most}.`,
    colors: 'Colours of your own',
    order: 'Order of the page',
    blocks: { pay: 'Payment', order: 'Order', note: 'Your terms' },
    colorsHint: 'Written #rrggbb. What you leave empty is made readable on what you choose.',
    roles: {
      background: 'Background',
      surface: 'Surface',
      text: 'Text',
      muted: 'Quiet text',
      accent: 'Accent',
      'accent-text': 'Text on the accent',
      border: 'Border',
      success: 'Success',
      warning: 'Warning',
      error: 'Error',
    },
    grounds: { background: 'Background', surface: 'Surface', field: 'Field', accent: 'Accent' },
    unreadable: (what: string, ground: string, ratio: string, least: string) =>
      `${what} on ${ground} has a contrast of ${ratio}; it must be ${least}.`,
    near: (color: string) => `Readable near it: ${color}.`,
    nothingNear: 'No colour can be read on all that it stands on.',
    shown: 'Page in the preview',
    pages: { pay: 'To pay', choose: 'To choose', paid: 'Paid' },
    phone: 'Telephone',
    desktop: 'Computer',
    light: 'light',
    dark: 'dark',
    darkLogo: 'Logo in dark mode',
    darkLogoHint: 'Shown in the place of your logo where the device of the customer is dark.',
  },
  risk: 'Which assets you take',
  riskHint:
    'Riskier assets are neither offered to customers nor settled in. Test and live are apart.',
  riskLevel: 'Risk',
  risks,
  late: 'Money that comes late',
  lateHint:
    'It is always credited at what it is worth then. Here you say when it completes the sale by itself.',
  lateFloor: 'Least worth, in percent of the total',
  lateFloorHint: '50 to 100. Less waits for you.',
  lateDays: 'Days after the price ended',
  lateDaysHint: (most: string) => `0 to ${most}. What comes later waits for you.`,
  settled: 'What you are credited in',
  settledHint:
    'For checkouts made here, payment links, the counter and invoices, unless you say otherwise there. Programs say it themselves (settlementAsset).',
  underpaid: 'Money that is a little too little',
  underpaidHint:
    'A payment in time that misses less than this completes the sale by itself. What is missing is your loss.',
  underpaidPercent: 'What may be missing, in percent of the total',
  underpaidPercentHint: '0 to 2.',
  underpaidFault: 'Write a percentage from 0 to 2.',
  methods: 'Ways to pay and their order',
  methodsHint:
    'Customers see them in this order. What is not ticked is not offered in new checkouts; open ones stay as they are.',
  methodsAway: 'No way to pay is ready now. They show here as soon as a network is.',
  methodPlace: 'Place',
  methodRecommended: 'Recommend',
  methodsRecommendedHint:
    'What you recommend comes first on your pages, marked, and at once in open checkouts, too.',
  methodsNone: 'At least one way to pay has to stay.',
  depths: 'Confirmations by value',
  depthsHint:
    'Blocks that a payment waits for, by its worth in US dollars. Less than this server asks has no effect, and what has begun keeps its number.',
  depth: { small: 'Below 1,000', medium: 'Below 50,000', large: 'Above' },
  depthsFault: 'Write whole numbers from 1 to 1000, and not fewer for more money.',
  domainsHint:
    'Customers then pay under your own name. The operator of this server has to let its proxy serve it.',
  domain: 'Your domain',
  domainHint: 'For example pay.shop.example',
  domainAdd: 'Claim it',
  domainVerified: 'Verified',
  domainRecords: 'Set these records where your domain is managed, then check:',
  domainCheck: 'Check now',
  payerMails: {
    label: 'Payers may ask for an e-mail on their page',
    hint: 'One mail when it is paid, or when something is left for the payer to do; only after money has come. The form stands on the page while a payment is open.',
  },
  pageWords: {
    title: 'Texts',
    hint: 'Plain text in this language. Empty: nothing is said. Where a language has no text of yours, that of the language of your pages is shown. An address is no link in it.',
    places: {
      HEADING: 'Above all else',
      PAY_NOTE: 'Under what is to be paid',
      PAID: 'After the payment',
      TERMS: 'Your terms and whom to ask',
    },
    fault:
      'Write plain text: one line of up to 120 characters above all else, else up to 500 characters and 10 lines, in your terms 20.',
  },
  mailWords: {
    title: 'Your own words',
    own: 'Own words',
    hint: 'Plain text in this language, before and after what the mail says by itself; each up to 500 characters and 20 lines. Empty: nothing is added. An address is no link in it.',
    opening: 'Before it',
    closing: 'After it',
    fault: 'Write plain text of up to 500 characters and 20 lines.',
  },
};

export type SettingsTexts = typeof enSettings;
