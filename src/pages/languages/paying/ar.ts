// Arabic of what a payer sees beside the plain words of a page. One and two are said by the noun
// itself, without a figure.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms, nounFor } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

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
};
