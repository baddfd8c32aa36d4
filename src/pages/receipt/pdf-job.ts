// A paper on its way to the thread that draws it: plain text, the same for the same paper.
import type { LanguageCode } from '#catalog/language.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { Paper } from './paper.ts';

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
