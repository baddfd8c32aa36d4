import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const jaLetters: SomeOf<CustomerLetterTexts> = {
  test: 'テスト',
  testHint: 'これはテストです。実際のお金は動いていません。',
  reference: (id) => `お支払い番号：${id}`,
  contact: (contact) => `ご質問はショップへ：${contact}`,
  why: (shop) =>
    `${shop} でのお支払いがあり、ショップがお客様のアドレスを持っているため、このメールをお送りしています。`,
  whyAsked: (shop) =>
    `${shop} への支払いページで、どなたかがこのアドレスを入力したため、このメールをお送りしています。`,
  leave: 'このショップへのお支払いに関するメールを停止する',
  seen: {
    subject: (shop) => `${shop} への入金を確認しました`,
    title: '入金を確認しました',
    body: (amount) => `${amount} が送金中です。ネットワークが承認しています。操作は不要です。`,
    button: '状況を見る',
  },
  paid: {
    subject: (shop) => `${shop} へのお支払いが完了しました`,
    title: 'お支払い完了。ありがとうございます',
    body: (shop, total) => `${shop} が ${total} のお支払いを受け取りました。`,
    button: '領収書を開く',
  },
  underpaid: {
    subject: (shop) => `${shop} へのお支払いが一部不足しています`,
    title: 'まだ一部が不足しています',
    body: (received, remaining) => `${received} が届き、${remaining} が不足しています。`,
    todo: '残りの現在の価格とお支払い方法はページに記載されています。支払いたくない場合は、お支払い番号を伝えてショップに返金を依頼してください。',
    button: '残りを支払う',
  },
  expired: {
    subject: (shop) => `${shop} へのお支払い期限が過ぎました`,
    title: 'お支払いの期限が過ぎました',
    body: '請求は発生していません。以前の価格では送金しないでください。',
    todo: 'まだお支払いになりますか？ページで新しい価格が分かります。すでに送金済みの場合、届いた分は入金として扱われます。お支払い番号を保管してください。',
    money: {
      body: 'この支払いとして数えられないものが届きました。別の通貨か、ネットワークが承認していない送金です。',
      todo: '失われてはいません。ネットワークがあとで承認した分は入金されます。別の通貨の場合は、参照番号を添えてショップにお問い合わせください。確認できた内容はページに表示されます。',
    },
    button: 'ページを開く',
  },
  claim: {
    subject: (shop) => `${shop} からの返金をお受け取りください`,
    title: '返金をお受け取りください',
    body: (shop, amount) => `${shop} が ${amount} を返金します。送金先はページでお尋ねします。`,
    until: (moment) =>
      `受付は ${moment} までです。リンクは誰にも渡さないでください。持っている人が送金先を決められます。`,
    button: '送金先を指定する',
  },
  sent: {
    subject: (shop) => `${shop} からの返金が送金されました`,
    title: '返金が送金されました',
    body: (amount, address) => `${amount} を ${address} に送金しました。`,
    transaction: (transaction) => `取引：${transaction}`,
    button: 'お支払いを見る',
  },
  bill: {
    sent: {
      subject: (shop, name) => `${shop} からの請求書 ${name}`,
      title: '請求書のお知らせ',
      body: (shop, total) => `${shop} から ${total} の請求書が届きました。`,
      due: (day) => `${day} までにお支払いください。`,
    },
    soon: {
      subject: (shop, name) => `お知らせ：${shop} からの請求書 ${name}`,
      title: '請求書の期日が近づいています',
      body: (total, day) => `${total} の請求書の支払期日は ${day} です。`,
    },
    today: {
      subject: (shop, name) => `${shop} からの請求書 ${name} は本日が期日です`,
      title: '請求書は本日が期日です',
      body: (total, day) => `${total} の請求書の支払期日は本日、${day} です。`,
    },
    overdue: {
      subject: (shop, name) => `${shop} からの請求書 ${name} が期日を過ぎています`,
      title: '請求書が期日を過ぎています',
      body: (total, day) =>
        `${total} の請求書の支払期日は ${day} でした。まだ入金を確認できていません。`,
    },
    hint: 'ページで請求書を確認し、その時点の価格でお支払いいただけます。お支払い済みの場合、操作は不要です。',
    number: (name) => `請求書番号：${name}`,
    button: '請求書を見て支払う',
  },
  page: {
    title: (shop) => `${shop} へのお支払いに関するメール`,
    gets: 'このショップへのお支払いに関するメールを受け取っています。',
    leave: 'メールを停止する',
    left: 'このショップへのお支払いに関するメールは届かなくなりました。',
    again: 'メールを再び受け取る',
  },
};

export const jaVerify: SomeOf<VerifyTexts> = {
  title: '領収書または請求書の照合',
  hint: '領収書または請求書に記載されたコードを入力してください。当方の帳簿の内容が分かります。購入者の情報は表示されません。',
  code: '照合コード',
  at: '照合先',
  check: '照合する',
  unknown: 'このコードの領収書や請求書は当方にありません。1 文字ずつご確認ください。',
  compare: 'お手元の書類と見比べてください。ここに記載の内容が正しいものです。',
  issuer: '発行者',
  states: {
    paid: '支払い済みです',
    partial: '一部が支払い済みです',
    open: '承認された入金はありません',
    reversed: '支払い済みでしたが、ネットワークが入金を取り消しました',
    refunded: '支払い済みで、返金されました',
    partlyRefunded: '支払い済みで、一部が返金されました',
    cancelled: 'この請求書は取り消されました',
    cancellation: 'この書類は請求書を取り消すものです',
  },
  worth: '支払額',
  explorer: 'ネットワーク上',
};
