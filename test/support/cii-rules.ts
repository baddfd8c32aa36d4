// What an electronic invoice is held against: which elements stand where (Factur-X 1.0, profile EN
// 16931, schema of CII D16B, of the elements that we write and no others), and the rules of EN
// 16931-1 that tell its sums and taxes, each under its own name.
import assert from 'node:assert/strict';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  multiply,
  parseDecimal,
  roundDecimal,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { faultsIn } from './xml-faults.ts';

const PARTY =
  'ram:Name ram:PostalTradeAddress ram:URIUniversalCommunication? ram:SpecifiedTaxRegistration*';
const TAX = 'ram:TypeCode ram:CategoryCode ram:RateApplicablePercent';
const CHILDREN: { readonly [path: string]: string } = {
  'rsm:CrossIndustryInvoice':
    'rsm:ExchangedDocumentContext rsm:ExchangedDocument rsm:SupplyChainTradeTransaction',
  'rsm:ExchangedDocumentContext': 'ram:GuidelineSpecifiedDocumentContextParameter',
  'ram:GuidelineSpecifiedDocumentContextParameter': 'ram:ID',
  'rsm:ExchangedDocument': 'ram:ID ram:TypeCode ram:IssueDateTime ram:IncludedNote*',
  'ram:IssueDateTime': 'udt:DateTimeString',
  'ram:IncludedNote': 'ram:Content',
  'rsm:SupplyChainTradeTransaction':
    'ram:IncludedSupplyChainTradeLineItem+ ram:ApplicableHeaderTradeAgreement ram:ApplicableHeaderTradeDelivery ram:ApplicableHeaderTradeSettlement',
  'ram:IncludedSupplyChainTradeLineItem':
    'ram:AssociatedDocumentLineDocument ram:SpecifiedTradeProduct ram:SpecifiedLineTradeAgreement ram:SpecifiedLineTradeDelivery ram:SpecifiedLineTradeSettlement',
  'ram:AssociatedDocumentLineDocument': 'ram:LineID',
  'ram:SpecifiedTradeProduct': 'ram:SellerAssignedID? ram:Name',
  'ram:SpecifiedLineTradeAgreement': 'ram:NetPriceProductTradePrice',
  'ram:NetPriceProductTradePrice': 'ram:ChargeAmount',
  'ram:SpecifiedLineTradeDelivery': 'ram:BilledQuantity',
  'ram:SpecifiedLineTradeSettlement':
    'ram:ApplicableTradeTax ram:SpecifiedTradeSettlementLineMonetarySummation',
  'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax': TAX,
  'ram:SpecifiedTradeSettlementLineMonetarySummation': 'ram:LineTotalAmount',
  'ram:ApplicableHeaderTradeAgreement': 'ram:SellerTradeParty ram:BuyerTradeParty',
  'ram:SellerTradeParty': PARTY,
  'ram:BuyerTradeParty': PARTY,
  'ram:PostalTradeAddress': 'ram:PostcodeCode? ram:LineOne? ram:CityName? ram:CountryID',
  'ram:URIUniversalCommunication': 'ram:URIID',
  'ram:SpecifiedTaxRegistration': 'ram:ID',
  'ram:ApplicableHeaderTradeDelivery': 'ram:ActualDeliverySupplyChainEvent',
  'ram:ActualDeliverySupplyChainEvent': 'ram:OccurrenceDateTime',
  'ram:OccurrenceDateTime': 'udt:DateTimeString',
  'ram:ApplicableHeaderTradeSettlement':
    'ram:PaymentReference ram:InvoiceCurrencyCode ram:SpecifiedTradeSettlementPaymentMeans? ram:ApplicableTradeTax+ ram:SpecifiedTradeAllowanceCharge* ram:SpecifiedTradePaymentTerms ram:SpecifiedTradeSettlementHeaderMonetarySummation ram:InvoiceReferencedDocument?',
  'ram:SpecifiedTradeSettlementPaymentMeans': 'ram:TypeCode ram:Information',
  'ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax':
    'ram:CalculatedAmount ram:TypeCode ram:ExemptionReason? ram:BasisAmount ram:CategoryCode ram:RateApplicablePercent',
  'ram:SpecifiedTradeAllowanceCharge':
    'ram:ChargeIndicator ram:ActualAmount ram:Reason ram:CategoryTradeTax',
  'ram:ChargeIndicator': 'udt:Indicator',
  'ram:CategoryTradeTax': TAX,
  'ram:SpecifiedTradePaymentTerms': 'ram:DueDateDateTime',
  'ram:DueDateDateTime': 'udt:DateTimeString',
  'ram:SpecifiedTradeSettlementHeaderMonetarySummation':
    'ram:LineTotalAmount ram:ChargeTotalAmount ram:AllowanceTotalAmount ram:TaxBasisTotalAmount ram:TaxTotalAmount ram:GrandTotalAmount ram:DuePayableAmount',
  'ram:InvoiceReferencedDocument': 'ram:IssuerAssignedID ram:FormattedIssueDateTime',
  'ram:FormattedIssueDateTime': 'qdt:DateTimeString',
};

const FILLED = /\S/;
const AMOUNT = /^-?\d+\.\d{2}$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const TEXTS: { readonly [path: string]: RegExp } = {
  'ram:GuidelineSpecifiedDocumentContextParameter/ram:ID': /^urn:cen\.eu:en16931:2017$/,
  'ram:ID': FILLED,
  'rsm:ExchangedDocument/ram:TypeCode': /^38[01]$/,
  'ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode': /^68$/,
  'ram:TypeCode': /^VAT$/,
  'udt:DateTimeString': /^\d{8}$/,
  'qdt:DateTimeString': /^\d{8}$/,
  'ram:Content': FILLED,
  'ram:LineID': FILLED,
  'ram:SellerAssignedID': FILLED,
  'ram:Name': FILLED,
  'ram:ChargeAmount': NUMBER,
  'ram:BilledQuantity': NUMBER,
  'ram:CategoryCode': /^(?:S|Z|E|AE|G)$/,
  'ram:RateApplicablePercent': NUMBER,
  'ram:PostcodeCode': FILLED,
  'ram:LineOne': FILLED,
  'ram:CityName': FILLED,
  'ram:CountryID': /^[A-Z]{2}$/,
  'ram:URIID': /@/,
  'ram:PaymentReference': FILLED,
  'ram:InvoiceCurrencyCode': /^[A-Z]{3}$/,
  'ram:Information': FILLED,
  'ram:ExemptionReason': FILLED,
  'ram:Reason': FILLED,
  'udt:Indicator': /^(?:true|false)$/,
  'ram:IssuerAssignedID': FILLED,
  ...Object.fromEntries(
    ['Calculated', 'Basis', 'Actual', 'LineTotal', 'ChargeTotal', 'AllowanceTotal'].map((name) => [
      `ram:${name}Amount`,
      AMOUNT,
    ]),
  ),
  ...Object.fromEntries(
    ['TaxBasisTotal', 'TaxTotal', 'GrandTotal', 'DuePayable'].map((name) => [
      `ram:${name}Amount`,
      AMOUNT,
    ]),
  ),
};

/** One sentence a fault; none for what the norm takes. */
export function ciiFaults(xml: string): string[] {
  const { root } = parseXml(xml);
  assert(root !== null);
  const broken = RULES.filter(([, holds]) => !holds(root)).map(([name]) => name);
  return [...faultsIn(root, '', { children: CHILDREN, texts: TEXTS }), ...broken];
}

/** What the whole is to be paid. */
export function duePayable(xml: string): string {
  const { root } = parseXml(xml);
  assert(root !== null);
  return textIn(root, 'ram:DuePayableAmount');
}

function all(node: XmlElement, name: string): XmlElement[] {
  return node.children.flatMap((child) => {
    if (!(child instanceof XmlElement)) return [];
    return child.name === name ? [child] : all(child, name);
  });
}

const textIn = (node: XmlElement, name: string) => all(node, name)[0]?.text ?? '';
const amountIn = (node: XmlElement, name: string) => parseDecimal(textIn(node, name));
const sum = (amounts: readonly Decimal[]) => amounts.reduce(add, ZERO);
const isSame = (one: Decimal, other: Decimal) => compare(one, other) === 0;

const lines = (root: XmlElement) => all(root, 'ram:IncludedSupplyChainTradeLineItem');
const header = (root: XmlElement) =>
  all(root, 'ram:ApplicableHeaderTradeSettlement')[0] ?? assert.fail('no settlement');
const totals = (root: XmlElement) =>
  all(root, 'ram:SpecifiedTradeSettlementHeaderMonetarySummation')[0] ?? assert.fail('no totals');
const groups = (root: XmlElement) =>
  header(root).children.filter(
    (child): child is XmlElement =>
      child instanceof XmlElement && child.name === 'ram:ApplicableTradeTax',
  );
const ofAll = (root: XmlElement, isCharge: boolean) =>
  all(root, 'ram:SpecifiedTradeAllowanceCharge').filter(
    (one) => textIn(one, 'udt:Indicator') === String(isCharge),
  );
const actual = (list: readonly XmlElement[]) =>
  sum(list.map((one) => amountIn(one, 'ram:ActualAmount')));
const lineSum = (list: readonly XmlElement[]) =>
  sum(list.map((one) => amountIn(one, 'ram:LineTotalAmount')));
const kindOf = (node: XmlElement) =>
  `${textIn(node, 'ram:CategoryCode')} ${textIn(node, 'ram:RateApplicablePercent')}`;
const party = (root: XmlElement, name: string) =>
  all(root, `ram:${name}TradeParty`)[0] ?? assert.fail(name);
const hasCategory = (root: XmlElement, code: string) =>
  groups(root).some((group) => textIn(group, 'ram:CategoryCode') === code);
const vatIds = (node: XmlElement) =>
  all(node, 'ram:SpecifiedTaxRegistration').flatMap((one) =>
    all(one, 'ram:ID').filter(({ attributes }) => attributes.schemeID === 'VA'),
  );
/** Halves away from zero, as the schematron of the norm rounds. */
const toCents = (amount: Decimal) =>
  roundDecimal(add(amount, createDecimal(amount.coefficient < 0n ? -5n : 5n, 3)), 2, 'down');

type Rule = readonly [name: string, holds: (root: XmlElement) => boolean];

const RULES: readonly Rule[] = [
  [
    'BR-CO-10: the sum of the lines',
    (root) => isSame(amountIn(totals(root), 'ram:LineTotalAmount'), lineSum(lines(root))),
  ],
  [
    'BR-CO-11: the sum of the discounts',
    (root) =>
      isSame(amountIn(totals(root), 'ram:AllowanceTotalAmount'), actual(ofAll(root, false))),
  ],
  [
    'BR-CO-12: the sum of the charges',
    (root) => isSame(amountIn(totals(root), 'ram:ChargeTotalAmount'), actual(ofAll(root, true))),
  ],
  [
    'BR-CO-13: lines less discounts, with charges',
    (root) => {
      const of = (name: string) => amountIn(totals(root), `ram:${name}Amount`);
      const net = add(subtract(of('LineTotal'), of('AllowanceTotal')), of('ChargeTotal'));
      return isSame(of('TaxBasisTotal'), net);
    },
  ],
  [
    'BR-CO-14: the sum of the taxes',
    (root) => {
      const taxes = groups(root).map((group) => amountIn(group, 'ram:CalculatedAmount'));
      return isSame(amountIn(totals(root), 'ram:TaxTotalAmount'), sum(taxes));
    },
  ],
  [
    'BR-CO-15: with tax',
    (root) => {
      const of = (name: string) => amountIn(totals(root), `ram:${name}Amount`);
      return isSame(of('GrandTotal'), add(of('TaxBasisTotal'), of('TaxTotal')));
    },
  ],
  [
    'BR-CO-16: what is due',
    (root) =>
      isSame(
        amountIn(totals(root), 'ram:DuePayableAmount'),
        amountIn(totals(root), 'ram:GrandTotalAmount'),
      ),
  ],
  [
    'BR-CO-17: the tax of each rate',
    (root) =>
      groups(root).every((group) => {
        const rate = multiply(amountIn(group, 'ram:RateApplicablePercent'), createDecimal(1n, 2));
        const tax = toCents(multiply(amountIn(group, 'ram:BasisAmount'), rate));
        return isSame(amountIn(group, 'ram:CalculatedAmount'), tax);
      }),
  ],
  [
    'BR-S-08 and its like: what is taxed at each rate',
    (root) =>
      groups(root).every((group) => {
        const own = (list: readonly XmlElement[]) =>
          list.filter((one) => kindOf(one) === kindOf(group));
        const basis = subtract(
          add(lineSum(own(lines(root))), actual(own(ofAll(root, true)))),
          actual(own(ofAll(root, false))),
        );
        return isSame(amountIn(group, 'ram:BasisAmount'), basis);
      }),
  ],
  [
    'BR-CO-18: one group for each rate and category',
    (root) => new Set(groups(root).map(kindOf)).size === groups(root).length,
  ],
  [
    'BR-E-10, BR-AE-10, BR-G-10, BR-S-10, BR-Z-10: a reason where no tax is charged, and only there',
    (root) =>
      groups(root).every((group) => {
        const isReasoned = ['E', 'AE', 'G'].includes(textIn(group, 'ram:CategoryCode'));
        return isReasoned === (textIn(group, 'ram:ExemptionReason') !== '');
      }),
  ],
  [
    'BR-E-05, BR-AE-05, BR-G-05, BR-Z-05: a rate of zero, above zero in BR-S-05',
    (root) =>
      groups(root).every((group) => {
        const rate = decimalToText(amountIn(group, 'ram:RateApplicablePercent'));
        return (textIn(group, 'ram:CategoryCode') === 'S') === (rate !== '0');
      }),
  ],
  [
    'BR-S-02 and its like: who sends it has a VAT id or a tax number',
    (root) => all(party(root, 'Seller'), 'ram:SpecifiedTaxRegistration').length > 0,
  ],
  [
    'BR-AE-02: who gets it has a VAT id',
    (root) => !hasCategory(root, 'AE') || vatIds(party(root, 'Buyer')).length === 1,
  ],
  [
    'BR-G-02: who sends it has a VAT id',
    (root) => !hasCategory(root, 'G') || vatIds(party(root, 'Seller')).length === 1,
  ],
];
