// Arabic of what a payer sees beside the plain words of a page. One and two are said by the noun
// itself, without a figure.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms, nounFor } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) =>
  number === 1 || number === 2 ? nounFor('ar', number, forms) : countedText('ar', number, forms);

export const arPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'تحويل مصرفي',
    recommended: 'موصى به',
    lastUsed: 'استُخدم آخر مرة',
    fits: 'مناسب لهذا الجهاز',
    search: 'البحث عن العملات والشبكات',
    nothing: 'لا توجد نتائج.',
    fee: (amount) => `رسوم الشبكة نحو ${amount}`,
    feeUnder: (amount) => `رسوم الشبكة أقل من ${amount}`,
    feeFrom: (amount) => `رسوم الشبكة ابتداءً من ${amount}`,
    networks: (number) =>
      count(number, {
        zero: 'شبكة',
        one: 'شبكة واحدة',
        two: 'شبكتان',
        few: 'شبكات',
        many: 'شبكة',
        other: 'شبكة',
      }),
  },
  pay: {
    showCode: 'إظهار الرمز',
    enlarge: 'تكبير الرمز',
    close: 'إغلاق',
    noWallet: 'لا توجد محفظة هنا؟ امسح الرمز بهاتفك.',
    compare: 'قارن في محفظتك الأحرف الأربعة الأولى والأربعة الأخيرة.',
  },
  steps: {
    title: 'ماذا يحدث لدفعتك',
    sent: 'لقد أرسلت',
    seen: 'رأتها الشبكة',
    confirmed: 'تأكدت',
    told: 'المتجر يُبلَّغ بها',
    wasTold: 'أُبلغ المتجر بها',
    device: 'المتابعة على جهاز آخر',
    deviceHint: 'امسح هذا بالجهاز الآخر: تُفتح هذه الصفحة عليه.',
    signal: 'صوت واهتزاز عند اكتمال الدفع',
    share: 'مشاركة الإيصال',
    calendar: 'أضِف إلى التقويم',
  },
  mail: {
    title: 'أخبرني بالبريد الإلكتروني عند الانتهاء',
    hint: 'رسالة واحدة عند اكتمال الدفع، أو إذا بقي لك ما تفعله. لا يُستخدم العنوان لأي شيء آخر.',
    label: 'البريد الإلكتروني',
    button: 'أخبرني',
    asked: 'سنخبرك بالبريد الإلكتروني',
    again: 'أخطأت في الكتابة؟ أدخل العنوان مرة أخرى.',
    fault: 'أدخل عنوانًا مثل ann@mail.example.',
  },
  trust: {
    title: 'هل هذا العنوان صحيح؟',
    signed: 'وقّع هذا النظام العنوان. تحقّق منه، والأفضل على جهاز آخر:',
    check: 'تحقّق من العنوان',
    host: (host) =>
      `ادفع فقط إذا أظهر شريط العنوان في متصفحك ${host}. لا أحد ممن يساعدك يطلب كلمات محفظتك.`,
    domain: 'نطاق موثّق',
    verified: 'هذا العنوان صادر من هنا',
    verifiedHint: 'قارنه حرفًا حرفًا بما تعرضه محفظتك.',
    unsigned: 'هذا العنوان لم يصدر من هنا، أو تغيّر حرف منه. من فضلك لا ترسل إليه شيئًا.',
    key: 'المفتاح العام (Ed25519)',
    place: 'العنوان، أو رابط التحقّق الموجود في صفحة الدفع',
    memo: 'المذكّرة أو الوسم، إن وُجد',
    signature: 'التوقيع',
    signatureHint:
      'التوقيع موجود في ذلك الرابط. العنوان وحده لا يدلّ على شيء: توقيعه هو ما لا يستطيع أحد غيرنا صنعه.',
  },
  wallets: {
    app: (app) => `فتح في ${app}`,
    with: (wallet) => `الدفع بمحفظة ${wallet}`,
    browser: 'الدفع بمحفظة هذا المتصفح',
    asking: (wallet) => `أكّد الدفع في ${wallet}.`,
    switching: (network) => `تطلب محفظتك الانتقال إلى شبكة ${network}.`,
    missing: (network) => `محفظتك لا تعرف شبكة ${network}. أضفها هناك أو ادفع بالرمز.`,
    otherNetwork: (network) =>
      `محفظتك على شبكة أخرى. انتقل فيها إلى شبكة ${network} ثم حاول مجددًا.`,
    poor: (account, held, needed) =>
      `في الحساب ${account} يوجد ${held}، والمطلوب ${needed}. اختر حسابًا آخر في محفظتك.`,
    refused: 'لقد رفضت في محفظتك. لم يُرسل شيء.',
    waiting: 'هناك سؤال ينتظر في محفظتك. افتحها وأجب هناك.',
    silent: 'محفظتك لا ترد. افتحها وألغِ قفلها ثم حاول مجددًا.',
    failed: 'لم تستطع محفظتك ذلك. تحقق فيها مما إذا أُرسل شيء قبل أن تحاول مجددًا.',
    sent: 'تم الإرسال. ستتغير هذه الصفحة فور ظهور دفعتك على الشبكة.',
    again: (wallet) => `الإرسال مرة أخرى بمحفظة ${wallet}`,
  },
};

export const arShop: ShopTexts = {
  title: 'كل ما يلزم للكتابة باليد',
  hint: 'متجر تجريبي: اختر شيئًا، وانتقل إلى الدفع، وادفع بمحفظة الاختبار.',
  embedded: 'ادفع دون مغادرة الصفحة',
  embeddedHint: (product) =>
    `${product}، في نافذة فوق هذه الصفحة: صفحة الدفع المستضافة، يفتحها نص برمجي واحد.`,
  howTo: 'كيف تفعل ذلك في متجر',
  payHere: 'ادفع هنا',
  states: 'شاهد كل حالات صفحة الدفع',
  skip: 'انتقل إلى المحتوى',
  shop: 'المتجر',
  add: 'أضف إلى السلة',
  addOf: (product) => `أضف إلى السلة: ${product}`,
  less: (product) => `أنقص واحدًا: ${product}`,
  more: (product) => `زد واحدًا: ${product}`,
  cart: 'السلة',
  post: 'بريد عادي',
  tax: 'ضريبة القيمة المضافة',
  total: 'المجموع قبل الضريبة',
  checkOut: 'ادفع بالعملات المشفرة',
  empty: 'سلتك فارغة.',
  look: 'تصفح المتجر',
  order: 'الطلب',
  state: 'الحالة في آخر إشعار',
  none: 'لا شيء بعد',
  back: 'العودة إلى المتجر',
  webhooks: 'الإشعارات المستلمة',
  webhooksHint:
    'هذا كل ما يعرفه المتجر. لا يصدق إشعارًا إلا إذا صح توقيعه، ويصدق صاحب أعلى رقم تسلسلي.',
  nothing: 'لم يصل شيء بعد. هذه الصفحة تسأل مجددًا من تلقاء نفسها.',
  verified: 'تم التحقق من التوقيع: نعم',
  unverified: 'تم التحقق من التوقيع: لا',
  noEvent: 'ليس حدثًا',
  headers: 'الترويسات',
  body: 'المحتوى',
  told: {
    completed: { title: 'شكرًا! تم دفع طلبك.', hint: 'نحن نغلفه الآن.' },
    pending: { title: 'دفعتك في الطريق.', hint: 'الشبكة تؤكدها.' },
    underpaid: { title: 'ما زال جزء ناقصًا.', hint: 'تعرض صفحة الدفع كيفية إرساله.' },
    expired: { title: 'لم يُدفع في الوقت المحدد.', hint: 'إن دفعت لاحقًا فهو محسوب أيضًا.' },
    cancelled: { title: 'أُلغي.', hint: 'لم يُحصّل أي مبلغ.' },
    waiting: { title: 'في انتظار الدفع.', hint: 'لم يصل المتجر خبر بعد.' },
  },
  madeUp: 'الطلبات والسلع غير حقيقية.',
  about: 'عن هذه الخدمة',
  products: {
    notebook: { name: 'دفتر منقّط', about: '192 صفحة تنبسط تمامًا، مجلدة بالكتان' },
    pen: { name: 'قلم نحاسي', about: 'مخروط من قضيب واحد، يزداد جمالًا مع الزمن' },
    ink: { name: 'حبر بلون الطحلب', about: '50 مل من أخضر يجف قريبًا من الأسود' },
    cards: { name: 'بطاقات السرخس', about: 'ثماني أوراق سرخس مضغوطة، مطبوعة باليد' },
  },
};
