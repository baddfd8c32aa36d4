// A receipt or an invoice in words of one language, before it becomes a page or a PDF: both show
// the same. Texts of merchants and customers are data here as everywhere.

import { FALLBACK_LANGUAGE, type LanguageCode } from '#catalog/language.ts';
import { type PageLanguage, pageLanguage } from '#pages/languages/texts.ts';

type PaperKind = 'receipt' | 'invoice';

/** `code`: to be taken over exactly. */
export type PaperRow = {
  readonly label: string;
  readonly value: string;
  readonly look: 'text' | 'code';
  readonly at?: Temporal.Instant | undefined;
  /** Where a page leads with it; a PDF leads nowhere. */
  readonly href?: string | undefined;
};

export type PaperLine = {
  /** What kind of cost it is; undefined for what is bought. */
  readonly kind: string | undefined;
  /** Written by the merchant. */
  readonly description: string;
  /** `2 × 3,00 €` or a share of a tax. */
  readonly detail: string | undefined;
  readonly amount: string;
};

export type PaperParty = { readonly label: string; readonly lines: readonly string[] };

export type PaperSection = { readonly title: string; readonly rows: readonly PaperRow[] };

type PaperPayment = { readonly url: string; readonly title: string; readonly hint: string };

/** The same as a program reads it. */
export type PaperAttachment = { readonly xml: string };

/** How the shop looks, at the top of a PDF; pages have a head of their own. */
export type PaperBrand = {
  readonly logo:
    | {
        /** An opaque picture that we drew ourselves, in base64. */
        readonly png: string;
        /** In pixels of a page. */
        readonly width: number;
        readonly height: number;
      }
    | undefined;
  /** Of titles, `#rrggbb`: it can be read on white. */
  readonly accent: string | undefined;
};

export type Paper = {
  readonly kind: PaperKind;
  readonly language: PageLanguage;
  readonly title: string;
  readonly reference: string;
  readonly shopName: string;
  readonly isTest: boolean;
  readonly issuedAt: Temporal.Instant;
  readonly facts: readonly PaperRow[];
  readonly parties: readonly PaperParty[];
  readonly lines: readonly PaperLine[];
  readonly totals: readonly PaperRow[];
  readonly sections: readonly PaperSection[];
  readonly notes: readonly string[];
  /** How to pay what is due. */
  readonly payment: PaperPayment | undefined;
  /** Of a PDF alone, as is the next. */
  readonly attached?: PaperAttachment | undefined;
  readonly brand?: PaperBrand | undefined;
};

/** The font of a PDF has no letters of these, or their lines run from right to left. */
const WITHOUT_PDF: readonly LanguageCode[] = ['zh-Hans', 'ja', 'ko', 'ar', 'he', 'hi'];

/** What a PDF is written in: English where its font does not have the language. */
export function pdfLanguage(language: PageLanguage): PageLanguage {
  return WITHOUT_PDF.includes(language.code) ? pageLanguage(FALLBACK_LANGUAGE) : language;
}

// A paper on its way to the thread that draws it: plain text, the same for the same paper.
type PlainPaper = Omit<Paper, 'language' | 'issuedAt'> & {
  readonly language: LanguageCode;
  readonly issuedAt: string;
};

export function writePdfJob(paper: Paper): string {
  const { language, issuedAt, ...rest } = paper;
  const plain: PlainPaper = { ...rest, language: language.code, issuedAt: issuedAt.toString() };
  return JSON.stringify(plain);
}

export function readPdfJob(job: string): Paper {
  const { language, issuedAt, ...rest } = JSON.parse(job) as PlainPaper;
  return {
    ...rest,
    language: pageLanguage(language),
    issuedAt: Temporal.Instant.from(issuedAt),
  };
}
