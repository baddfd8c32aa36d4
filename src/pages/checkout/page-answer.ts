// What an open page is sent when it changed.
import type { CheckoutPage } from './checkout-page.ts';
import { isLastPage, pageTitle, renderMain, stateTitle } from './render-checkout.ts';
import { sandboxPanel } from './sandbox-panel.ts';

export type ChangedAnswer = {
  readonly version: string;
  readonly state: string;
  readonly title: string;
  /** Read out by screen readers. */
  readonly said: string;
  readonly html: string;
  /** What the payer in test mode can do now. */
  readonly sandbox?: string | undefined;
  /** Nothing happens any more: the page need not ask again. */
  readonly isLast: boolean;
};

export function changedAnswer(page: CheckoutPage, version: string): ChangedAnswer {
  return {
    version,
    state: page.state.kind,
    title: pageTitle(page),
    said: stateTitle(page),
    html: renderMain(page).markup,
    sandbox: sandboxPanel(page)?.markup,
    isLast: isLastPage(page.state),
  };
}
