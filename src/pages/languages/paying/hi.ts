// Hindi of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { PayingTexts } from './en.ts';

export const hiPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'बैंक ट्रांसफ़र',
    recommended: 'अनुशंसित',
    lastUsed: 'पिछली बार इस्तेमाल',
    fits: 'इस उपकरण के लिए उपयुक्त',
    search: 'कॉइन और नेटवर्क खोजें',
    nothing: 'कुछ मेल नहीं खाता।',
    fee: (amount) => `नेटवर्क शुल्क लगभग ${amount}`,
    feeUnder: (amount) => `नेटवर्क शुल्क ${amount} से कम`,
    feeFrom: (amount) => `नेटवर्क शुल्क ${amount} से शुरू`,
    networks: (number) => `${number} नेटवर्क`,
  },
  pay: {
    showCode: 'कोड दिखाएँ',
    enlarge: 'कोड बड़ा करें',
    close: 'बंद करें',
    noWallet: 'यहाँ वॉलेट नहीं है? फ़ोन से कोड स्कैन करें।',
    compare: 'वॉलेट में पहले चार और आखिरी चार अक्षर मिलाएँ।',
  },
  steps: {
    title: 'आपके भुगतान का क्या हो रहा है',
    sent: 'आपने भेजा',
    seen: 'नेटवर्क ने देख लिया',
    confirmed: 'पुष्ट',
    told: 'दुकान को पता चलता है',
    wasTold: 'दुकान को पता चल गया',
    device: 'दूसरे उपकरण पर जारी रखें',
    deviceHint: 'इसे दूसरे उपकरण से स्कैन करें: वहाँ यही पेज खुलेगा।',
    signal: 'भुगतान होने पर ध्वनि और कंपन',
    share: 'रसीद साझा करें',
  },
  trust: {
    title: 'क्या यह पता सही है?',
    signed: 'इस सिस्टम ने पते पर हस्ताक्षर किए हैं। इसे जाँचें, बेहतर हो किसी दूसरे डिवाइस पर:',
    check: 'पता जाँचें',
    host: (host) =>
      `केवल तभी भुगतान करें जब ब्राउज़र के पता बार में ${host} दिखे। मदद करने वाला कोई भी आपके वॉलेट के शब्द नहीं माँगता।`,
    domain: 'सत्यापित डोमेन',
    verified: 'यह पता यहीं से दिया गया',
    verifiedHint: 'वॉलेट में दिख रहे पते से इसके हर अक्षर का मिलान करें।',
    unsigned: 'यह पता यहाँ से नहीं दिया गया, या इसका कोई अक्षर बदला गया है। कृपया इस पर कुछ न भेजें।',
    key: 'सार्वजनिक कुंजी (Ed25519)',
  },
};
