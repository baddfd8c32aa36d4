// A shop that shows address and amount on a page of its own.
import process from 'node:process';
import { ConflictError, Quittance } from '@quittance/client';

const { QUITTANCE_URL = '', QUITTANCE_KEY = '', QUITTANCE_SECRET = '' } = process.env;
const quittance = new Quittance({
  baseUrl: QUITTANCE_URL,
  key: QUITTANCE_KEY,
  secret: QUITTANCE_SECRET,
});

const { id, paymentMethods } = await quittance.checkout.create({
  charge: { billingCurrency: 'EUR', lineItems: [{ description: 'A book', netAmount: '23' }] },
});
for (const { network, assetCode, paymentAmount } of paymentMethods) {
  console.log(`${paymentAmount} ${assetCode} over ${network}`);
}

// The customer chooses one of them.
const { depositInstructions, expirationTime } = await quittance.checkout.commit(id, {
  network: 'LITECOIN',
});
const { amount, assetCode, address } = depositInstructions;
console.log(`Pay ${amount} ${assetCode} to ${address} until ${expirationTime}`);

await quittance.sandbox.payAndConfirm(id);
try {
  await quittance.checkout.cancel(id);
} catch (error) {
  if (!(error instanceof ConflictError)) throw error;
  console.log(`It cannot be cancelled any more: ${error.code}`);
}
