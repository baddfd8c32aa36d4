// Mails to customers in Brazil: what is said otherwise than in `pt`.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';
import { ptLetters, ptVerify } from './pt.ts';

export const ptBrLetters: SomeOf<CustomerLetterTexts> = { ...ptLetters };

export const ptBrVerify: SomeOf<VerifyTexts> = { ...ptVerify };
