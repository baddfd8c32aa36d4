// Hebrew of what a payer sees beside the plain words of a page. One is said after the noun.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) =>
  number === 1 ? (forms.one ?? forms.other) : countedText('he', number, forms);

export const hePaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'העברה בנקאית',
    recommended: 'מומלץ',
    lastUsed: 'בשימוש בפעם הקודמת',
    fits: 'מתאים למכשיר זה',
    search: 'חיפוש מטבעות ורשתות',
    nothing: 'לא נמצא דבר.',
    fee: (amount) => `עמלת רשת ${amount} בערך`,
    feeUnder: (amount) => `עמלת רשת מתחת ל־${amount}`,
    feeFrom: (amount) => `עמלת רשת החל מ־${amount}`,
    networks: (number) => count(number, { one: 'רשת אחת', two: 'רשתות', other: 'רשתות' }),
  },
  pay: {
    showCode: 'הצגת הקוד',
    enlarge: 'הגדלת הקוד',
    close: 'סגירה',
    noWallet: 'אין כאן ארנק? אפשר לסרוק את הקוד בטלפון.',
    compare: 'יש להשוות בארנק את ארבעת התווים הראשונים ואת ארבעת האחרונים.',
  },
  steps: {
    title: 'מה קורה עם התשלום שלך',
    sent: 'שלחת',
    seen: 'הרשת ראתה אותו',
    confirmed: 'אושר',
    told: 'החנות מתעדכנת',
    wasTold: 'החנות עודכנה',
    device: 'המשך במכשיר אחר',
    deviceHint: 'יש לסרוק זאת במכשיר האחר: העמוד הזה ייפתח בו.',
    signal: 'צליל ורטט כאשר שולם',
    share: 'שיתוף הקבלה',
    calendar: 'הוספה ליומן',
  },
  trust: {
    title: 'האם הכתובת הזאת נכונה?',
    signed: 'המערכת הזאת חתמה על הכתובת. בדקו אותה, עדיף במכשיר אחר:',
    check: 'בדיקת הכתובת',
    host: (host) =>
      `שלמו רק אם שורת הכתובת בדפדפן מציגה ${host}. מי שעוזר לכם אינו מבקש את מילות הארנק.`,
    domain: 'דומיין מאומת',
    verified: 'הכתובת הזאת הונפקה כאן',
    verifiedHint: 'השוו אותה תו אחר תו לכתובת שהארנק מציג.',
    unsigned: 'הכתובת הזאת לא הונפקה כאן, או שתו בה שונה. נא לא לשלוח אליה דבר.',
    key: 'מפתח ציבורי (Ed25519)',
    place: 'הכתובת, או קישור הבדיקה שנמצא בדף התשלום',
    memo: 'מזכר או תג, אם יש',
    signature: 'חתימה',
    signatureHint:
      'החתימה נמצאת בקישור הזה. כתובת לבדה אינה אומרת דבר: את החתימה שלה איש מלבדנו אינו יכול ליצור.',
  },
};
