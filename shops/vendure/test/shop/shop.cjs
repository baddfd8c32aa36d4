// The smallest Vendure that sells: its server and its worker in one process, filled when it starts.
const {
  bootstrap,
  DefaultJobQueuePlugin,
  JobQueueService,
  LanguageCode,
} = require('@vendure/core');
const { dummyPaymentHandler } = require('@vendure/core');
const { populate } = require('@vendure/core/cli');
const { QuittancePlugin } = require('@quittance/vendure');

const { env } = process;
const config = {
  apiOptions: {
    port: Number(env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: env.SHOP_ADMIN, password: env.SHOP_ADMIN_PASSWORD },
    cookieOptions: { secret: env.SHOP_TOKEN_SECRET },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: env.SHOP_DATABASE_HOST,
    port: Number(env.SHOP_DATABASE_PORT),
    username: env.SHOP_DATABASE_USER,
    password: env.SHOP_DATABASE_PASSWORD,
    database: 'shop',
    synchronize: true,
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [
    DefaultJobQueuePlugin,
    QuittancePlugin.init({
      baseUrl: env.QUITTANCE_URL,
      key: env.QUITTANCE_KEY,
      secret: env.QUITTANCE_SECRET,
      webhookSecret: env.QUITTANCE_WEBHOOK_SECRET,
      vendureUrl: env.SHOP_URL,
      storefrontUrl: `${env.SHOP_URL}/health?order={order_code}`,
    }),
  ],
};

const initialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'World',
  countries: [{ name: 'Germany', code: 'DE', zone: 'World' }],
  taxRates: [{ name: 'No tax', percentage: 0 }],
  shippingMethods: [{ name: 'Post', price: 0 }],
  paymentMethods: [{ name: 'Crypto', handler: { code: 'quittance', arguments: [] } }],
  collections: [],
};

async function start() {
  const app = await populate(() => bootstrap(config), initialData);
  await app.get(JobQueueService).start();
  console.log('the shop is filled');
}

start();
