import { Quittance } from '@quittance/client';

const quittance = new Quittance({
  baseUrl: '{{url}}',
  key: '{{key}}',
  secret: '{{secret}}',
});
