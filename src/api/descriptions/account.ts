// What the fields of catalogues, customers, events, settings, reports and the sandbox mean.
import type { FieldMeanings } from './field-meanings.ts';

/** `absent`: what null means. */
const detailsOf = (absent: string) => {
  const detail = (what: string) => `${what}${absent}.`;
  return {
    email: 'E-mail address, up to 254 characters.',
    firstname: detail('First name, up to 200 characters'),
    lastname: detail('Last name, up to 200 characters'),
    company: detail('Company, up to 200 characters'),
    adr1: detail('First line of the address, up to 200 characters'),
    adr2: detail('Second line of the address, up to 200 characters'),
    zip: detail('Postal code, up to 20 characters'),
    city: detail('City, up to 200 characters'),
    countrycode: detail('Country: ISO 3166-1, two letters in either case'),
    phonenumber: detail('Telephone, up to 40 characters'),
    taxid: detail('Number for taxes, up to 50 characters'),
    note: detail('Your own note, up to 2,000 characters'),
    meta: detail('Your own data, up to 16 KiB of JSON'),
  };
};

const EVENT = {
  test: 'There where a person sent it to try a receiver: nothing of it has happened.',
  deliveries: 'One for each receiver.',
};

const MAIL_WORDS = {
  kind: 'Which mail.',
  language: 'Code of a language of `GET /languages`.',
  opening: 'What it begins with, up to 500 characters; null as it is by itself.',
  closing: 'What it ends with, up to 500 characters; null as it is by itself.',
};

export const ACCOUNT_MEANINGS: FieldMeanings = {
  ServiceTime: { time: 'Unix seconds.' },
  Authentication: {
    authenticated: 'Always true: other answers are errors.',
    method: 'How the request was signed.',
  },
  Language: { languageCode: 'Such as `en`.', name: 'In the language itself.' },
  LanguageList: { languages: 'That payment pages are there in.' },
  Network: {
    id: 'Such as `LITECOIN`.',
    type: 'Blockchain, or money of banks.',
    deposits: 'Whether payments can be received on it now.',
    transfers: 'Whether money can be sent on it now.',
    bridged: 'Whether an anchor brings its coins.',
    assets: 'Ids of the assets that are on it.',
  },
  NetworkList: { networks: 'Every network that is known here.' },
  Asset: {
    id: 'Code and issuer, such as `LTC:NATIVE`.',
    assetIssuer: '`NATIVE`, `FIAT`, or the account or contract that issues it.',
    group: 'Assets of one group are worth the same.',
    groupImageSrc: 'Path of the picture of the group on this server.',
    issuerName: 'Who issues it; empty where nobody does.',
    issuerDomain: 'Domain of the issuer; empty where there is none.',
    issuerAddress: 'Address of the issuer on its network; empty where there is none.',
    checkouts: 'Whether checkouts of the account offer it now.',
    deposits: 'Whether deposit addresses of the account take it now.',
    settlement: 'Whether you can be credited in it.',
    swaps: 'Whether it can be converted.',
    transfers: 'Whether it can be sent now.',
    hexColor: 'Colour of the brand, `#` and six hex digits.',
    riskLevel: 'How much can go wrong with it: held against `riskTolerance` of the account.',
    bridge: 'Whether it stands for a coin of another network.',
    networks: 'Ids of the networks that it is on.',
  },
  AssetList: { assets: 'Every asset of this environment.' },
  Currency: {
    assetCode: 'Such as `EUR`.',
    type: '`FIAT`: of states; `CRYPTO`: of networks.',
    billing: 'Whether charges can be in it.',
    settlement: 'Whether you can be credited in it.',
    payment: 'Whether customers can pay in it now.',
  },
  CurrencyList: { currencies: 'Every currency that is known here.' },
  FiatCurrency: { assetCode: 'Such as `EUR`.', assetName: 'Name, to be shown.' },
  FiatCurrencyList: { fiatCurrencies: 'Those that charges can be in.' },
  Blockchain: {
    id: 'Such as `LITECOIN`.',
    nativeAssetCode: 'Code of its own coin.',
    nativeAssetName: 'Name of its own coin.',
  },
  BlockchainList: { blockchains: 'Every blockchain that is known here.' },
  AssetIssuer: {
    id: 'Account or contract that issues.',
    domain: 'Domain of the issuer; empty where there is none.',
    assets: 'Ids of the assets that it issues.',
  },
  AssetIssuerList: { assetIssuers: 'Every issuer of an asset of this environment.' },
  Customer: detailsOf('; null where there is none'),
  CustomerFields: detailsOf(''),
  CustomerChange: { id: 'Id of the customer.', ...detailsOf('') },
  CreateCustomerRequest: { customer: 'Who is created.' },
  UpdateCustomerRequest: { customer: 'What is absent stays; null clears.' },
  CustomerPage: { customers: 'Newest first.' },
  ListedEvent: EVENT,
  FollowedEvents: { events: 'In the order in which they were told, oldest first.' },
  RequestAnswer: { request: 'The request, without secrets.' },
  RequestPage: { requests: 'Newest first.' },
  Delivery: {
    url: 'Address of the receiver.',
    webhookEndpointId:
      'Which receiver of the account; null of an address given with a checkout or a deposit address.',
    state: 'How far it is.',
    attempts: 'How often it was tried.',
    lastStatus: 'HTTP status of the last answer; null where there was none.',
    lastError: 'Why the last attempt got no answer, in words; null where it got one.',
    nextAttempt: 'When it is tried again, UTC; null where it is not.',
    finishedTime: 'When it ended, UTC; null while it has not.',
    reason: 'Why it ended without success, in words; null otherwise.',
  },
  EventPage: { events: 'Newest first.' },
  EventAnswer: { event: 'The event, with its deliveries as they stand now.' },
  WebhookEndpoint: {
    url: 'Address that events are sent to.',
    eventTypes: 'Which are sent; null: all of them.',
    format: 'In whose words it is told: ours, of BTCPay Server, or of Coinbase Commerce.',
    apiVersion: 'Dated version that its events are told in.',
    disabledTime: 'Since when nothing is sent to it, UTC; null while it is in use.',
  },
  WebhookEndpointPage: { webhookEndpoints: 'Newest first, deleted ones included.' },
  WebhookEndpointWithSecret: {
    secret: 'Signs what is sent to it (Standard Webhooks, `whsec_…`): told here only.',
  },
  CreateWebhookEndpointRequest: {
    url: 'Address, http or https, that events are sent to.',
    eventTypes: 'Which are sent; all unless given.',
    format: 'In whose words: ours unless given, of BTCPay Server, or of Coinbase Commerce.',
    apiVersion: 'Dated version that its events are told in; that of the key unless given.',
  },
  WebhookEndpointReference: {
    webhookEndpointId: 'Id of the receiver.',
    overlapHours:
      'Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given.',
    apiVersion: 'Of a change alone: dated version that its events are told in from now on.',
  },
  AccountSettings: settingsWords(),
  UpdateAccountSettingsRequest: settingsWords(),
  PageLook: lookWords(),
  UpdatePageLookRequest: lookWords(true),
  PageLookAnswer: { pageLook: 'As it is now.' },
  PageWords: {
    place:
      '`HEADING`: above all else; `PAY_NOTE`: under what is to be paid; `PAID`: after the payment; `TERMS`: your terms.',
    language: 'Code of a language of `GET /languages`.',
    words: 'Plain text of up to 500 characters, in `HEADING` 120; empty is none.',
  },
  AccountSettingsAnswer: { accountSettings: 'As they are now.' },
  MailWords: MAIL_WORDS,
  Report: {
    name: 'Which report.',
    from: 'Begin of the period, included, UTC; null from the beginning.',
    to: 'End of the period, not included, UTC; null to the end.',
    rows: 'Oldest first: texts by the name of their column; null where nothing applies.',
  },
  ReportPage: { report: 'A page of the report.' },
  SandboxRequest: {
    checkoutId:
      'Test checkout that is paid, instead of `depositAddressId`; or whose payments alone are ' +
      'mined or undone.',
    depositAddressId:
      'Test deposit address that is paid, with `amount`; or whose payments alone are mined or undone.',
    network:
      'Which simulated network: that of the payment where the checkout is not committed; blocks ' +
      'come on all of them unless given, and it is needed to undo some.',
    asset:
      'What is paid, where a checkout is not committed or an address takes several: id of an ' +
      'asset of `GET /assets`.',
    amount: 'Of the payment, in whole coins; what is asked for unless given.',
    parts: 'In so many payments, 1 to 20; 1 unless given.',
    blocks: 'How many come, 1 to 100; 1 unless given.',
    depth: 'How many are undone, 1 to 30; 1 unless given.',
  },
  SandboxPayment: {
    transaction: 'Hash of the transaction on the simulated network.',
  },
  FollowedEvent: { id: 'Id of the event, the header `webhook-id`.' },
  SandboxAdvance: {
    minutes: 'How many pass: 1 to 43,200, which is 30 days.',
  },
  SandboxTip: { height: 'Height of the newest block.', hash: 'Hash of the newest block.' },
  SandboxAnswer: {
    minutes: 'Of `/sandbox/advance`: how many passed.',
    checkouts: 'Of `/sandbox/advance`: how many windows came nearer.',
    deliveries: 'Of `/sandbox/advance`: how many attempts at webhooks came nearer.',
    settlementRules: 'Of `/sandbox/advance`: how many settlement rules came nearer.',
    payments: 'Of `/sandbox/pay` and `/sandbox/replace`: what was sent.',
    tips: 'Of `/sandbox/mine`: the newest block of each network.',
    tip: 'Of `/sandbox/reorg`: the newest block that is left.',
    checkoutId: 'Of `/sandbox/expire`: the checkout whose window ended.',
    meta: 'Of `/sandbox/expire`: what you gave with the checkout; absent where nothing was given.',
  },
  SandboxFreeze: { seconds: 'For how long its node is silent: 0 to 86,400.' },
  // Parameters of queries, by the method and path of the operation.
  'GET /exchange-rate': {
    sourceAsset: 'Id of an asset, or code of a currency.',
    targetAsset: 'Id of an asset, or code of a currency.',
    sourceAmount: 'How much of the source; either this or `targetAmount`.',
    targetAmount: 'How much of the target; either this or `sourceAmount`.',
    amount: 'Older name of `sourceAmount`.',
  },
  'GET /checkout': {
    wait: 'Seconds, up to 60, for which the answer is held until the state changes.',
  },
  'GET /checkouts': {
    state: 'Those in this state.',
    from: 'Made from this time on: ISO 8601 with offset, or a day.',
    to: 'Made before this time: ISO 8601 with offset, or a day.',
    customerId: 'Those of this customer.',
  },
  'GET /events/follow': {
    wait: 'Seconds, up to 30, for which the answer is held until there is one.',
  },
  'GET /events': { type: 'Those of this type.' },
  'GET /wallet': { assetCode: 'Code of assets, or id of one.' },
  'GET /reports': {
    limit: 'Rows of a page: 1 to 5,000, 1,000 unless given.',
    format: 'As JSON unless given; `csv` as a table.',
    asset: 'Of a statement of account: which asset it is of.',
    currency: 'Code of a currency of states, in which values are told.',
    method: 'Which units of an asset go first: the oldest, unless given, or the same part of all.',
  },
};

function lookWords(isRequest = false) {
  const picture = isRequest
    ? 'PNG, JPEG or WebP in Base64, null takes it away'
    : 'path of the picture, null without one';
  const font = isRequest
    ? 'WOFF2 in Base64, up to 100 KiB, null takes it away'
    : 'path of the file, null without one';
  const color = `\`#rrggbb\`, null: as we make it`;
  return {
    font: `Families that devices have.`,
    cornerRadius: `Of a card, in pixels, 0 to 24.`,
    primaryColor: `Of buttons: ${color}.`,
    backgroundColor: `Behind the cards: ${color}.`,
    colors: `Of single things, \`dark-surface=#1c2226\`, readable on what they stand on.`,
    blocks: `Parts of a page, each once, in their order.`,
    words: `Your own words on your pages.`,
    logo: `Beside your name: ${picture}.`,
    fontFile: `Your own font: ${font}.`,
    boldFontFile: `The same for bold text: ${font}.`,
    darkLogo: `The same where pages are dark: ${picture}.`,
  };
}

function settingsWords() {
  return {
    riskTolerance: `Assets above this risk are neither offered nor settled in.`,
    preferredAuthentication: `\`DIGEST\`: requests of every key are signed; \`BASIC\`: \`X-Basic\` is taken too.`,
    customerMails: `Mails that customers get; none unless switched on.`,
    payerMails: `Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do.`,
    customerMailWords: `Your own words in such mails.`,
    pageLanguages: `Languages that the pages of the account are offered in.`,
    defaultPageLanguage: `That of \`pageLanguages\` in which they are where the browser of a customer wants none.`,
    embedOrigins: `Sites that may show pages of the account in a frame.`,
    settlementAsset: `Id of the asset that sales by hand, links and invoices are credited in, or \`ORIGIN\`: whatever is paid.`,
    methodOrder: `Ways to pay in the order of customers, \`LITECOIN LTC:NATIVE\`; others come after.`,
    methodsOff: `Ways to pay that new checkouts do not offer.`,
    methodsRecommended: `Ways to pay that pages show first and mark.`,
    confirmations: `By id of a network, blocks for small, medium and large amounts, each 1 to 1,000.`,
    lateFloorPercent: `Percent of the price that late money has to be worth, 50 to 100.`,
    lateDays: `Days after its window in which a checkout can still complete.`,
    underpaidPercent: `Percent that may be missing from a payment, 0 to 2.`,
    pageSettings: `What its pages ask, and how they lead back.`,
  };
}
