// Hebrew of what a payer sees beside the plain words of a page. One is said after the noun.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

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

export const heShop: ShopTexts = {
  title: 'הכול לכתיבה ביד',
  hint: 'חנות לדוגמה: בחרו משהו, עברו לקופה ושלמו בארנק הבדיקות.',
  embedded: 'לשלם בלי לעזוב את הדף',
  embeddedHint: (product) => `${product}, בחלון מעל הדף הזה: דף התשלום המתארח, שנפתח בסקריפט אחד.`,
  howTo: 'איך עושים זאת בחנות',
  payHere: 'לשלם כאן',
  states: 'לראות את כל מצבי דף התשלום',
  skip: 'דילוג לתוכן',
  shop: 'חנות',
  add: 'הוספה לסל',
  addOf: (product) => `הוספה לסל: ${product}`,
  less: (product) => `אחד פחות: ${product}`,
  more: (product) => `אחד יותר: ${product}`,
  cart: 'סל',
  post: 'דואר מכתבים',
  tax: 'מע״מ',
  total: 'סך הכול לפני מע״מ',
  checkOut: 'לשלם בקריפטו',
  empty: 'הסל שלכם ריק.',
  look: 'להסתכל סביב',
  order: 'הזמנה',
  state: 'המצב בהודעה האחרונה',
  none: 'עדיין אין',
  back: 'חזרה לחנות',
  webhooks: 'הודעות שהתקבלו',
  webhooksHint:
    'זה כל מה שהחנות יודעת. היא מאמינה להודעה רק אם החתימה נכונה, ולזו שמספרה הסידורי הגבוה ביותר.',
  nothing: 'עדיין לא הגיע דבר. הדף ישאל שוב מעצמו.',
  verified: 'החתימה אומתה: כן',
  unverified: 'החתימה אומתה: לא',
  noEvent: 'לא אירוע',
  headers: 'כותרות',
  body: 'גוף',
  told: {
    completed: { title: 'תודה! ההזמנה שולמה.', hint: 'אנחנו כבר אורזים אותה.' },
    pending: { title: 'התשלום בדרך.', hint: 'הרשת מאשרת אותו.' },
    underpaid: { title: 'חסר עדיין חלק.', hint: 'דף התשלום מראה איך לשלוח אותו.' },
    expired: { title: 'לא שולם בזמן.', hint: 'אם שילמתם מאוחר יותר, זה עדיין נחשב.' },
    cancelled: { title: 'בוטל.', hint: 'לא חויבתם בדבר.' },
    waiting: { title: 'ממתינים לתשלום.', hint: 'החנות עדיין לא שמעה דבר.' },
  },
  madeUp: 'ההזמנות והמוצרים בדויים.',
  about: 'על השירות הזה',
  products: {
    notebook: { name: 'מחברת נקודות', about: '192 עמודים שנפתחים שטוח, כרוכים בפשתן' },
    pen: { name: 'עט פליז', about: 'נחרט ממוט אחד, משתבח עם הזמן' },
    ink: { name: 'דיו בצבע טחב', about: '50 מ״ל ירוק שמתייבש כמעט לשחור' },
    cards: { name: 'גלויות שרך', about: 'שמונה שרכים כבושים, מודפסים ביד' },
  },
};
