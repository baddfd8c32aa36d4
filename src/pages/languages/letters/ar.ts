import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const arLetters: SomeOf<CustomerLetterTexts> = {
  test: 'اختبار',
  testHint: 'كان هذا اختبارًا: لم تتحرك أموال حقيقية.',
  reference: (id) => `المرجع: ${id}`,
  contact: (contact) => `لديك أسئلة؟ اسأل المتجر: ${contact}`,
  why: (shop) => `تصلك هذه الرسالة لأنك تدفع إلى ${shop} ولديه عنوانك.`,
  whyAsked: (shop) => `تصلك هذه الرسالة لأن أحدهم كتب عنوانك في صفحة دفعة إلى ${shop}.`,
  leave: 'إيقاف الرسائل عن المدفوعات إلى هذا المتجر',
  seen: {
    subject: (shop) => `ظهرت دفعتك إلى ${shop}`,
    title: 'ظهرت دفعتك',
    body: (amount) => `${amount} في الطريق. الشبكة تؤكد الدفعة الآن؛ لا يلزمك فعل شيء.`,
    button: 'عرض الحالة',
  },
  paid: {
    subject: (shop) => `اكتملت دفعتك إلى ${shop}`,
    title: 'تم الدفع. شكرًا لك!',
    body: (shop, total) => `استلم ${shop} دفعتك بمبلغ ${total}.`,
    button: 'فتح الإيصال',
  },
  underpaid: {
    subject: (shop) => `جزء من دفعتك إلى ${shop} ناقص`,
    title: 'ما زال جزء ناقصًا',
    body: (received, remaining) => `وصل ${received}، وينقص ${remaining}.`,
    todo: 'توضح الصفحة كم يكلف الباقي الآن وكيف يُدفع. لا تريد دفعه؟ اطلب من المتجر استرداد المبلغ واذكر المرجع.',
    button: 'دفع الباقي',
  },
  expired: {
    subject: (shop) => `انتهى وقت الدفع إلى ${shop}`,
    title: 'انتهى وقت الدفع',
    body: 'لم يُحصَّل أي مبلغ. يُرجى عدم إرسال شيء بالسعر القديم.',
    todo: 'ما زلت تريد الدفع؟ تعطيك الصفحة سعرًا جديدًا. أرسلت بالفعل؟ ما يصل يُقيَّد لك: احتفظ بالمرجع.',
    money: {
      body: 'وصل شيء لا يُحسب ضمن هذه الدفعة: عملة أخرى، أو تحويل لم تؤكده الشبكة.',
      todo: 'لم يضِع. ما تؤكده الشبكة لاحقًا يُقيَّد أيضًا. إن كانت عملة أخرى فاسأل المتجر واذكر المرجع. تعرض الصفحة ما ظهر.',
    },
    button: 'فتح الصفحة',
  },
  claim: {
    subject: (shop) => `استرداد من ${shop} في انتظارك`,
    title: 'استرداد في انتظارك',
    body: (shop, amount) => `يعيد ${shop} إليك ${amount}. تسألك الصفحة إلى أين يُرسل.`,
    until: (moment) => `مفتوح حتى ${moment}. لا تمرر الرابط إلى أحد: من يملكه يحدد وجهة المال.`,
    button: 'تحديد الوجهة',
  },
  sent: {
    subject: (shop) => `أُرسل الاسترداد من ${shop}`,
    title: 'أُرسل مبلغ الاسترداد',
    body: (amount, address) => `أُرسل ${amount} إلى ${address}.`,
    transaction: (transaction) => `المعاملة: ${transaction}`,
    button: 'عرض الدفعة',
  },
  bill: {
    sent: {
      subject: (shop, name) => `الفاتورة ${name} من ${shop}`,
      title: 'فاتورتك',
      body: (shop, total) => `أرسل إليك ${shop} فاتورة بمبلغ ${total}.`,
      due: (day) => `يُرجى دفعها قبل ${day}.`,
    },
    soon: {
      subject: (shop, name) => `تذكير: الفاتورة ${name} من ${shop}`,
      title: 'فاتورتك تستحق قريبًا',
      body: (total, day) => `فاتورتك بمبلغ ${total} تستحق في ${day}.`,
    },
    today: {
      subject: (shop, name) => `الفاتورة ${name} من ${shop} تستحق اليوم`,
      title: 'فاتورتك تستحق اليوم',
      body: (total, day) => `فاتورتك بمبلغ ${total} تستحق اليوم، ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `الفاتورة ${name} من ${shop} متأخرة`,
      title: 'فاتورتك متأخرة',
      body: (total, day) => `استحقت فاتورتك بمبلغ ${total} في ${day}. لا نرى دفعة لها بعد.`,
    },
    hint: 'تعرض الصفحة الفاتورة وتستقبل الدفع بسعر تلك اللحظة. دفعت بالفعل؟ إذًا لا يلزمك فعل شيء.',
    number: (name) => `رقم الفاتورة: ${name}`,
    button: 'عرض الفاتورة ودفعها',
  },
  page: {
    title: (shop) => `الرسائل عن المدفوعات إلى ${shop}`,
    gets: 'تصلك رسائل عن مدفوعاتك إلى هذا المتجر.',
    leave: 'إيقاف الرسائل',
    left: 'لن تصلك بعد الآن رسائل عن مدفوعاتك إلى هذا المتجر.',
    again: 'استئناف الرسائل',
  },
};

export const arVerify: SomeOf<VerifyTexts> = {
  title: 'التحقق من إيصال أو فاتورة',
  hint: 'اكتب الرمز الموجود على الإيصال أو الفاتورة. ستعرف ما تقوله دفاترنا عنه، ولا شيء عن المشتري.',
  code: 'رمز التحقق',
  at: 'تحقق منه على',
  check: 'تحقق',
  unknown: 'لا يحمل أي إيصال أو فاتورة لدينا هذا الرمز. قارنه حرفًا بحرف.',
  compare: 'قارن هذا بالمستند الذي بين يديك. المعتمد هو ما يرد هنا.',
  issuer: 'صادر عن',
  states: {
    paid: 'هذا مدفوع',
    partial: 'جزء من هذا مدفوع',
    open: 'لا توجد دفعة مؤكدة لهذا',
    reversed: 'كان مدفوعًا ثم تراجعت الشبكة عن الدفعة',
    refunded: 'كان مدفوعًا وأُعيد المال',
    partlyRefunded: 'كان مدفوعًا وأُعيد جزء منه',
    cancelled: 'أُلغيت هذه الفاتورة',
    cancellation: 'يلغي هذا المستند فاتورة',
  },
  worth: 'المبلغ المدفوع',
  explorer: 'على الشبكة',
};
