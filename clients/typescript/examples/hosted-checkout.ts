// A shop that sends its customer to a page of the service, and waits until it is paid.
import process from 'node:process';
import { Quittance } from '@quittance/client';

const { QUITTANCE_URL = '', QUITTANCE_KEY = '', QUITTANCE_SECRET = '' } = process.env;
const quittance = new Quittance({
  baseUrl: QUITTANCE_URL,
  key: QUITTANCE_KEY,
  secret: QUITTANCE_SECRET,
});

const { id, url } = await quittance.checkout.createHosted({
  charge: {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'A book', netAmount: '12.50', quantity: 2 }],
    taxItems: [{ name: 'VAT', percent: '0.07' }],
  },
  pageSettings: { returnUrl: 'https://shop.example/thanks' },
  meta: { order: '1001' },
});
console.log(`Send the customer to ${url}`);

// With a test key nobody has to pay: the sandbox does.
await quittance.sandbox.payAndConfirm(id, { network: 'LITECOIN' });

const checkout = await quittance.checkout.waitUntil(id, ['COMPLETED', 'UNDERPAID'], {
  timeoutSeconds: 600,
});
console.log(`Order ${checkout.meta?.order} is ${checkout.state}`);
