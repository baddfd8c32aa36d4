// What a transfer by bank needs: whose account, which, the reference, the amount, and a code for
// the app of the payer's bank where there is such a custom.

import { getNetwork } from '#catalog/network.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { amountField, type CopyField, copyField } from './copy-field.ts';
import type { Due } from './decide-page.ts';
import { qrCode } from './qr-code.ts';
import { rateLine } from './rate-line.ts';

/** `isRest`: a part was paid already. */
export function bankPanel(page: CheckoutPage, due: Due, isRest: boolean): Html {
  const { texts } = page.language;
  const network = getNetwork(due.commitment.network);
  return html`${listFields(page, due, isRest).map((field) => copyField(field, texts))}
<p class="warning">${texts.bank.referenceWarning}</p>
<p class="network"><img src="${network.imageSrc}" alt="" width="24" height="24">
<span>${texts.bank.duration}</span></p>
${
  due.paymentUri !== '' &&
  html`<figure id="qr">
${qrCode(due.paymentUri, texts.pay.qrAlt(due.paymentUri))}
<figcaption>${texts.bank.code}</figcaption></figure>`
}
${rateLine(page, due.commitment)}
<p class="hint">${texts.bank.fees}</p>`;
}

function listFields(page: CheckoutPage, due: Due, isRest: boolean): CopyField[] {
  const { texts } = page.language;
  const { commitment, paymentUri } = due;
  const { instruction, payee } = commitment;
  const isPix = commitment.network === 'PIX';
  const isIban = !isPix && /^[A-Z]{2}\d{2}/.test(instruction.address);
  const code = (id: string, label: string, value: string | undefined): CopyField[] =>
    value === undefined || value === '' ? [] : [{ id, label, value, look: 'code' }];
  const plain = (id: string, label: string, value: string | undefined) =>
    code(id, label, value).map((field) => ({ ...field, shown: field.value }));
  const account = isIban ? 'IBAN' : isPix ? texts.bank.pixKey : texts.bank.account;
  return [
    amountField(page, due, isRest),
    ...plain('holder', texts.bank.holder, payee?.holder),
    ...code('address', account, instruction.address),
    ...plain('bic', 'BIC', payee?.bic),
    ...code('memo', texts.bank.reference, instruction.memo),
    // The name under which every app in Brazil offers to paste it.
    ...(isPix ? plain('payment-uri', 'Pix Copia e Cola', paymentUri) : []),
  ];
}
