// The electronic invoice inside the PDF: a CrossIndustryInvoice (UN/CEFACT CII D16B) as the norm
// EN 16931 asks. Guarantees: every amount is one that the bill itself shows, and they add up as the
// norm adds them (BR-CO-10 to BR-CO-17), because a draft has whole cents in each line and at most
// one tax; texts of others are data. Undefined where the norm has no words for a bill: then the PDF
// stands alone. Elements and their order: Factur-X 1.0, technical appendix, profile EN 16931.

import { findCurrency } from '#catalog/currency.ts';
import type { Charge } from '#charge/charge.ts';
import {
  add,
  createDecimal,
  type Decimal,
  decimalToText,
  isNegative,
  isZero,
  multiply,
  roundDecimal,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { type BillParty, chargeOf, type IssuedBill, type TaxCategory } from './bill.ts';

const NAMESPACES =
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ' +
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" ' +
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" ' +
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"';
/** The norm itself, without rules of a country (BT-24). */
const SPECIFICATION = 'urn:cen.eu:en16931:2017';
/** UNTDID 1001: commercial invoice, credit note. */
const TYPES = { INVOICE: '380', CANCELLATION: '381' } as const;
/** UNTDID 4461: online payment service. */
const PAYMENT_MEANS = '68';
/** UN/ECE Recommendation 20: one. */
const ONE_UNIT = 'C62';
const DECIMALS_MOST = 2;

export type CiiFacts = {
  /** The one that it cancels. */
  readonly cancelled: IssuedBill | undefined;
  /** Where it is paid. */
  readonly url: string;
};

/** What is billed at one rate (BG-23). */
type TaxGroup = {
  readonly category: TaxCategory;
  readonly rate: Decimal;
  readonly reason: string | undefined;
  readonly basis: Decimal;
  readonly tax: Decimal;
};

/** Undefined: it cannot be said in the norm. */
export function writeCii(bill: IssuedBill, facts: CiiFacts): string | undefined {
  const charge = chargeOf(bill);
  if (charge === undefined || !canBeSaid(bill, charge)) return undefined;
  const context = element(
    'rsm:ExchangedDocumentContext',
    element('ram:GuidelineSpecifiedDocumentContextParameter', textElement('ram:ID', SPECIFICATION)),
  );
  const document = element(
    'rsm:ExchangedDocument',
    textElement('ram:ID', bill.name),
    textElement('ram:TypeCode', TYPES[bill.kind]),
    dayElement('ram:IssueDateTime', bill.issuedOn),
    bill.note === undefined
      ? ''
      : element('ram:IncludedNote', textElement('ram:Content', bill.note)),
  );
  const goods = goodsTax(bill, charge);
  const transaction = element(
    'rsm:SupplyChainTradeTransaction',
    ...charge.lineItems.map((item, index) => lineElement(item, index + 1, goods)),
    element(
      'ram:ApplicableHeaderTradeAgreement',
      partyElement('ram:SellerTradeParty', bill.seller),
      partyElement('ram:BuyerTradeParty', bill.buyer),
    ),
    element(
      'ram:ApplicableHeaderTradeDelivery',
      element(
        'ram:ActualDeliverySupplyChainEvent',
        dayElement('ram:OccurrenceDateTime', bill.deliveredOn),
      ),
    ),
    settlementElement(bill, charge, facts),
  );
  const parts = context + document + transaction;
  const root = 'rsm:CrossIndustryInvoice';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACES}>${parts}</${root}>\n`;
}

/**
 * BR-CL-04 (codes of ISO 4217), BR-DEC-* (two decimals), BR-G-02 (export asks for a VAT id); and
 * nothing is taxed that is below zero, of which the norm and a charge round the tax another way.
 */
function canBeSaid(bill: IssuedBill, charge: Charge): boolean {
  const { decimals, billingCurrency } = charge;
  if (findCurrency(billingCurrency)?.type !== 'FIAT' || decimals > DECIMALS_MOST) return false;
  if (taxGroups(bill, charge).some(({ basis }) => isNegative(basis))) return false;
  return bill.taxCategory !== 'G' || bill.seller.vatId !== '';
}

type Rated = Pick<TaxGroup, 'category' | 'rate' | 'reason'>;

/** Of everything but what is sent untaxed. */
function goodsTax({ taxCategory, taxReason }: IssuedBill, { taxItems }: Charge): Rated {
  const percent = taxItems[0]?.percent ?? ZERO;
  const rate = multiply(percent, createDecimal(100n, 0));
  // BR-S-10, BR-Z-10: a reason only where the tax is missing.
  const isReasoned = taxCategory !== 'S' && taxCategory !== 'Z';
  return { category: taxCategory, rate, reason: isReasoned ? taxReason : undefined };
}

/** A merchant's word for it: no tax on this, beside what is taxed. */
function untaxed({ description }: { readonly description: string }): Rated {
  return { category: 'E', rate: ZERO, reason: `${description}: not taxable` };
}

function shippingTax(
  goods: Rated,
  item: { readonly description: string; readonly taxable: boolean },
): Rated {
  return item.taxable || goods.category !== 'S' ? goods : untaxed(item);
}

function taxGroups(bill: IssuedBill, charge: Charge): TaxGroup[] {
  const goods = goodsTax(bill, charge);
  const charged = charge.taxItems[0]?.charged ?? ZERO;
  const free = charge.shippingCostItems.filter(
    (item) => shippingTax(goods, item) !== goods && !isZero(item.netAmount),
  );
  const freeTotal = free.reduce((sum, { netAmount }) => add(sum, netAmount), ZERO);
  const [first] = free;
  return [
    { ...goods, basis: subtract(charge.netTotal, freeTotal), tax: charged },
    ...(first === undefined ? [] : [{ ...untaxed(first), basis: freeTotal, tax: ZERO }]),
  ];
}

function lineElement(
  { description, netAmount, quantity, amount, productId }: Charge['lineItems'][number],
  number: number,
  tax: Rated,
): string {
  return element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', textElement('ram:LineID', String(number))),
    element(
      'ram:SpecifiedTradeProduct',
      productId === undefined ? '' : textElement('ram:SellerAssignedID', productId),
      textElement('ram:Name', description),
    ),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element(
        'ram:NetPriceProductTradePrice',
        textElement('ram:ChargeAmount', decimalToText(netAmount)),
      ),
    ),
    element(
      'ram:SpecifiedLineTradeDelivery',
      textElement('ram:BilledQuantity', decimalToText(quantity), `unitCode="${ONE_UNIT}"`),
    ),
    element(
      'ram:SpecifiedLineTradeSettlement',
      element('ram:ApplicableTradeTax', ...taxElements(tax)),
      element(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        amountElement('ram:LineTotalAmount', amount),
      ),
    ),
  );
}

function taxElements({ category, rate }: Rated): string[] {
  return [
    textElement('ram:TypeCode', 'VAT'),
    textElement('ram:CategoryCode', category),
    textElement('ram:RateApplicablePercent', decimalToText(rate)),
  ];
}

function partyElement(name: string, party: BillParty): string {
  const { street, zip, city, country, email, vatId, taxNumber } = party;
  const optional = (tag: string, value: string) => (value === '' ? '' : textElement(tag, value));
  const registration = (scheme: string, id: string) =>
    id === ''
      ? ''
      : element('ram:SpecifiedTaxRegistration', textElement('ram:ID', id, `schemeID="${scheme}"`));
  return element(
    name,
    textElement('ram:Name', party.name),
    element(
      'ram:PostalTradeAddress',
      optional('ram:PostcodeCode', zip),
      optional('ram:LineOne', street),
      optional('ram:CityName', city),
      textElement('ram:CountryID', country),
    ),
    email === ''
      ? ''
      : element('ram:URIUniversalCommunication', textElement('ram:URIID', email, 'schemeID="EM"')),
    registration('FC', taxNumber),
    registration('VA', vatId),
  );
}

function settlementElement(bill: IssuedBill, charge: Charge, { cancelled, url }: CiiFacts): string {
  const isInvoice = bill.kind === 'INVOICE';
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    textElement('ram:PaymentReference', bill.name),
    textElement('ram:InvoiceCurrencyCode', bill.billingCurrency),
    isInvoice
      ? element(
          'ram:SpecifiedTradeSettlementPaymentMeans',
          textElement('ram:TypeCode', PAYMENT_MEANS),
          textElement('ram:Information', url),
        )
      : '',
    ...taxGroups(bill, charge).map(groupElement),
    ...allowanceElements(bill, charge),
    element('ram:SpecifiedTradePaymentTerms', dayElement('ram:DueDateDateTime', bill.dueOn)),
    summationElement(bill, charge),
    cancelled === undefined
      ? ''
      : element(
          'ram:InvoiceReferencedDocument',
          textElement('ram:IssuerAssignedID', cancelled.name),
          dayElement('ram:FormattedIssueDateTime', cancelled.issuedOn, 'qdt'),
        ),
  );
}

function groupElement({ category, rate, reason, basis, tax }: TaxGroup): string {
  return element(
    'ram:ApplicableTradeTax',
    amountElement('ram:CalculatedAmount', tax),
    textElement('ram:TypeCode', 'VAT'),
    reason === undefined ? '' : textElement('ram:ExemptionReason', reason),
    amountElement('ram:BasisAmount', basis),
    textElement('ram:CategoryCode', category),
    textElement('ram:RateApplicablePercent', decimalToText(rate)),
  );
}

/** Discounts (BG-20) and shipping (BG-21) of the whole. */
function allowanceElements(bill: IssuedBill, charge: Charge): string[] {
  const goods = goodsTax(bill, charge);
  const allowance = (isCharge: boolean, amount: Decimal, reason: string, tax: Rated) =>
    element(
      'ram:SpecifiedTradeAllowanceCharge',
      element('ram:ChargeIndicator', textElement('udt:Indicator', String(isCharge))),
      amountElement('ram:ActualAmount', amount),
      textElement('ram:Reason', reason),
      element('ram:CategoryTradeTax', ...taxElements(tax)),
    );
  return [
    ...charge.discountItems.map(({ netAmount, description }) =>
      allowance(false, netAmount, description, goods),
    ),
    ...charge.shippingCostItems.map((item) =>
      allowance(true, item.netAmount, item.description, shippingTax(goods, item)),
    ),
  ];
}

function summationElement(bill: IssuedBill, charge: Charge): string {
  const { lineItems, shippingTotal, discountTotal, netTotal, taxItems } = charge;
  const lines = lineItems.reduce((sum, { amount }) => add(sum, amount), ZERO);
  const tax = taxItems[0]?.charged ?? ZERO;
  const currency = `currencyID="${bill.billingCurrency}"`;
  return element(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    amountElement('ram:LineTotalAmount', lines),
    amountElement('ram:ChargeTotalAmount', shippingTotal),
    amountElement('ram:AllowanceTotalAmount', discountTotal),
    amountElement('ram:TaxBasisTotalAmount', netTotal),
    textElement('ram:TaxTotalAmount', amountText(tax), currency),
    amountElement('ram:GrandTotalAmount', bill.total),
    amountElement('ram:DuePayableAmount', bill.total),
  );
}

/** `20260131` (format 102). */
function dayElement(name: string, day: string, prefix: 'udt' | 'qdt' = 'udt'): string {
  const digits = day.replaceAll('-', '');
  return element(name, textElement(`${prefix}:DateTimeString`, digits, 'format="102"'));
}

function amountElement(name: string, amount: Decimal): string {
  return textElement(name, amountText(amount));
}

/** Two decimals: there are no more (`canBeSaid`). */
function amountText(amount: Decimal): string {
  const [whole = '', fraction = ''] = decimalToText(
    roundDecimal(amount, DECIMALS_MOST, 'half-even'),
  ).split('.');
  return `${whole}.${fraction.padEnd(DECIMALS_MOST, '0')}`;
}

function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function textElement(name: string, text: string, attribute = ''): string {
  // What XML 1.0 cannot hold (2.2) is left out.
  const held = text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
  const escaped = held.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
  return `<${name}${attribute === '' ? '' : ` ${attribute}`}>${escaped}</${name}>`;
}
