// The samples of the demo shop as tests ask for them.
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { SAMPLE_SELLER, type SampleOptions, samplePage } from '#pages/demo/sample-page.ts';
import { SAMPLE_STATES } from '#pages/demo/sample-states.ts';

export type PageOptions = SampleOptions;

export const SELLER = SAMPLE_SELLER;
export const pageOf = samplePage;

/** By name, what the hosted page can look like. */
export const PAGES: Readonly<Record<string, (options?: PageOptions) => CheckoutPage>> =
  Object.fromEntries(SAMPLE_STATES.map(({ name, make }) => [name, make]));
