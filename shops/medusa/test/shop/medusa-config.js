// The smallest Medusa that sells: no dashboard, everything in memory but the database.
const { defineConfig } = require('@medusajs/framework/utils');

const { env } = process;

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: env.SHOP_TOKEN_SECRET,
      cookieSecret: env.SHOP_TOKEN_SECRET,
    },
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 1000,
        providers: [
          {
            resolve: '@quittance/medusa',
            id: 'crypto',
            options: {
              baseUrl: env.QUITTANCE_URL,
              key: env.QUITTANCE_KEY,
              secret: env.QUITTANCE_SECRET,
              webhookSecret: env.QUITTANCE_WEBHOOK_SECRET,
              webhookUrl: `${env.SHOP_URL}/hooks/payment/quittance_crypto`,
              returnUrl: `${env.SHOP_URL}/thanks?session={session_id}`,
            },
          },
        ],
      },
    },
  ],
});
