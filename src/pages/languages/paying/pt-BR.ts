// Portuguese of Brazil of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { PayingTexts } from './en.ts';
import { ptPaying } from './pt.ts';

export const ptBrPaying: SomeOf<PayingTexts> = { ...ptPaying };
