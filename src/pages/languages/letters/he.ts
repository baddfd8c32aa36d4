import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const heLetters: SomeOf<CustomerLetterTexts> = {
  test: 'בדיקה',
  testHint: 'זו הייתה בדיקה: לא עבר כסף אמיתי.',
  reference: (id) => `אסמכתה: ${id}`,
  contact: (contact) => `שאלות? נא לפנות לחנות: ${contact}`,
  why: (shop) => `הודעה זו נשלחה כי בוצע תשלום ל־${shop}, והכתובת שלך נמצאת שם.`,
  whyAsked: (shop) => `הודעה זו נשלחה אליך כי מישהו הזין את כתובתך בדף של תשלום ל־${shop}.`,
  leave: 'לא לקבל עוד הודעות על תשלומים לחנות זו',
  seen: {
    subject: (shop) => `התשלום שלך ל־${shop} נראה`,
    title: 'התשלום שלך נראה',
    body: (amount) => `${amount} בדרך. הרשת מאשרת כעת את התשלום; אין צורך לעשות דבר.`,
    button: 'לצפייה במצב',
  },
  paid: {
    subject: (shop) => `התשלום שלך ל־${shop} הושלם`,
    title: 'שולם. תודה!',
    body: (shop, total) => `התשלום שלך על סך ${total} התקבל אצל ${shop}.`,
    button: 'פתיחת הקבלה',
  },
  underpaid: {
    subject: (shop) => `חסר חלק מהתשלום שלך ל־${shop}`,
    title: 'עדיין חסר חלק',
    body: (received, remaining) => `הגיעו ${received}, חסרים ${remaining}.`,
    todo: 'בעמוד כתוב כמה עולה היתרה כעת וכיצד משלמים אותה. לא רוצים לשלם אותה? יש לבקש מהחנות החזר ולציין את האסמכתה.',
    button: 'תשלום היתרה',
  },
  expired: {
    subject: (shop) => `הזמן לתשלום ל־${shop} עבר`,
    title: 'הזמן לתשלום עבר',
    body: 'לא נגבה דבר. נא לא לשלוח דבר במחיר הישן.',
    todo: 'עדיין רוצים לשלם? העמוד נותן מחיר חדש. כבר נשלח? מה שיגיע ייזקף: נא לשמור את האסמכתה.',
    money: {
      body: 'הגיע משהו שאינו נחשב לתשלום הזה: מטבע אחר, או העברה שהרשת לא אישרה.',
      todo: 'הוא לא אבד. מה שהרשת תאשר בהמשך יזוכה בכל זאת. אם זה מטבע אחר, יש לפנות לחנות ולציין את האסמכתה. הדף מציג מה נראה.',
    },
    button: 'פתיחת העמוד',
  },
  claim: {
    subject: (shop) => `החזר מ־${shop} ממתין לך`,
    title: 'החזר ממתין לך',
    body: (shop, amount) => `${shop} מחזירה לך ${amount}. העמוד שואל לאן לשלוח.`,
    until: (moment) =>
      `פתוח עד ${moment}. אין להעביר את הקישור לאיש: מי שמחזיק בו קובע לאן ילך הכסף.`,
    button: 'ציון היעד',
  },
  sent: {
    subject: (shop) => `ההחזר שלך מ־${shop} נשלח`,
    title: 'ההחזר שלך נשלח',
    body: (amount, address) => `${amount} נשלחו אל ${address}.`,
    transaction: (transaction) => `עסקה: ${transaction}`,
    button: 'לצפייה בתשלום',
  },
  bill: {
    sent: {
      subject: (shop, name) => `חשבונית ${name} מאת ${shop}`,
      title: 'החשבונית שלך',
      body: (shop, total) => `התקבלה חשבונית על סך ${total} מאת ${shop}.`,
      due: (day) => `נא לשלם אותה עד ${day}.`,
    },
    soon: {
      subject: (shop, name) => `תזכורת: חשבונית ${name} מאת ${shop}`,
      title: 'מועד התשלום של החשבונית קרב',
      body: (total, day) => `מועד התשלום של החשבונית על סך ${total} הוא ${day}.`,
    },
    today: {
      subject: (shop, name) => `היום מועד התשלום של חשבונית ${name} מאת ${shop}`,
      title: 'היום מועד התשלום של החשבונית',
      body: (total, day) => `מועד התשלום של החשבונית על סך ${total} הוא היום, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `חשבונית ${name} מאת ${shop} באיחור`,
      title: 'החשבונית שלך באיחור',
      body: (total, day) =>
        `מועד התשלום של החשבונית על סך ${total} היה ${day}. עדיין איננו רואים תשלום עבורה.`,
    },
    hint: 'העמוד מציג את החשבונית ומקבל את התשלום במחיר של אותו רגע. כבר שולם? אז אין צורך לעשות דבר.',
    number: (name) => `מספר חשבונית: ${name}`,
    button: 'צפייה בחשבונית ותשלום',
  },
  page: {
    title: (shop) => `הודעות על תשלומים ל־${shop}`,
    gets: 'נשלחות אליך הודעות על תשלומיך לחנות זו.',
    leave: 'לא לקבל עוד הודעות',
    left: 'לא יישלחו אליך עוד הודעות על תשלומיך לחנות זו.',
    again: 'לקבל הודעות שוב',
  },
};

export const heVerify: SomeOf<VerifyTexts> = {
  title: 'בדיקת קבלה או חשבונית',
  hint: 'נא להקליד את הקוד המופיע על הקבלה או החשבונית. יוצג מה שרשום בספרינו, ודבר לא על הקונה.',
  code: 'קוד אימות',
  at: 'לבדיקה בכתובת',
  check: 'בדיקה',
  unknown: 'לאף קבלה או חשבונית שלנו אין קוד זה. נא להשוות אותו סימן אחר סימן.',
  compare: 'יש להשוות למסמך שבידך. מה שכתוב כאן הוא הקובע.',
  issuer: 'הונפק על ידי',
  states: {
    paid: 'זה שולם',
    partial: 'חלק מזה שולם',
    open: 'אין על כך תשלום מאושר',
    reversed: 'זה שולם, והרשת ביטלה את התשלום',
    refunded: 'זה שולם, והכסף הוחזר',
    partlyRefunded: 'זה שולם, וחלק הוחזר',
    cancelled: 'חשבונית זו בוטלה',
    cancellation: 'מסמך זה מבטל חשבונית',
  },
  worth: 'הסכום ששולם',
  explorer: 'ברשת',
};
