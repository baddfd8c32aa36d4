import type { LetterTexts } from './en.ts';

export const frLetters: LetterTexts = {
  test: 'Essai',
  testHint: 'C’était un essai : aucun argent réel n’a été déplacé.',
  reference: (id) => `Référence : ${id}`,
  contact: (contact) => `Des questions ? Adressez-vous à la boutique : ${contact}`,
  why: (shop) =>
    `Vous recevez ce message parce que vous payez ${shop} et que la boutique a votre adresse.`,
  leave: 'Ne plus recevoir de messages sur les paiements à cette boutique',
  seen: {
    subject: (shop) => `Votre paiement à ${shop} a été vu`,
    title: 'Votre paiement a été vu',
    body: (amount) =>
      `${amount} sont en route. Le réseau les confirme en ce moment ; vous n’avez rien à faire.`,
    button: 'Voir où cela en est',
  },
  paid: {
    subject: (shop) => `Votre paiement à ${shop} est complet`,
    title: 'Payé. Merci !',
    body: (shop, total) => `${shop} a reçu votre paiement de ${total}.`,
    button: 'Ouvrir le reçu',
  },
  underpaid: {
    subject: (shop) => `Il manque une partie de votre paiement à ${shop}`,
    title: 'Il manque encore une partie',
    body: (received, remaining) => `${received} sont arrivés, il manque ${remaining}.`,
    todo: 'La page indique ce que coûte le reste maintenant et comment le payer. Vous ne voulez pas le payer ? Demandez un remboursement à la boutique en donnant la référence.',
    button: 'Payer le reste',
  },
  expired: {
    subject: (shop) => `Le délai pour payer ${shop} est écoulé`,
    title: 'Le délai de paiement est écoulé',
    body: 'Rien n’a été facturé. N’envoyez rien à l’ancien prix.',
    todo: 'Vous voulez encore payer ? La page vous donne un nouveau prix. Vous avez déjà envoyé ? Ce qui arrive est encore crédité : gardez la référence.',
    button: 'Ouvrir la page',
  },
  claim: {
    subject: (shop) => `Un remboursement de ${shop} vous attend`,
    title: 'Un remboursement vous attend',
    body: (shop, amount) => `${shop} vous rend ${amount}. La page demande où l’envoyer.`,
    until: (moment) =>
      `Il est ouvert jusqu’au ${moment}. Ne transmettez le lien à personne : qui l’a décide où va l’argent.`,
    button: 'Dire où l’envoyer',
  },
  sent: {
    subject: (shop) => `Votre remboursement de ${shop} a été envoyé`,
    title: 'Votre remboursement a été envoyé',
    body: (amount, address) => `${amount} ont été envoyés à ${address}.`,
    transaction: (transaction) => `Transaction : ${transaction}`,
    button: 'Voir le paiement',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Facture ${name} de ${shop}`,
      title: 'Votre facture',
      body: (shop, total) => `${shop} vous a envoyé une facture de ${total}.`,
      due: (day) => `Merci de la payer au plus tard le ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Rappel : facture ${name} de ${shop}`,
      title: 'Votre facture arrive à échéance',
      body: (total, day) => `Votre facture de ${total} est à payer le ${day}.`,
    },
    today: {
      subject: (shop, name) => `La facture ${name} de ${shop} est à payer aujourd’hui`,
      title: 'Votre facture est à payer aujourd’hui',
      body: (total, day) => `Votre facture de ${total} est à payer aujourd’hui, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `La facture ${name} de ${shop} est en retard`,
      title: 'Votre facture est en retard',
      body: (total, day) =>
        `Votre facture de ${total} était à payer le ${day}. Nous n’en voyons encore aucun paiement.`,
    },
    hint: 'La page montre la facture et prend le paiement, au prix de ce moment. Déjà payée ? Alors vous n’avez rien à faire.',
    number: (name) => `Numéro de facture : ${name}`,
    button: 'Voir et payer la facture',
  },
  page: {
    title: (shop) => `Messages sur les paiements à ${shop}`,
    gets: 'Vous recevez des messages sur vos paiements à cette boutique.',
    leave: 'Plus de messages',
    left: 'Vous ne recevez plus de messages sur vos paiements à cette boutique.',
    again: 'Recevoir à nouveau les messages',
  },
  staff: {
    why: (shop) => `Vous recevez ce message parce que vous travaillez avec ${shop}.`,
    choose: 'Choisir les messages que vous recevez',
    paid: {
      subject: (shop, total) => `${shop} : ${total} payés`,
      title: 'Payé',
      body: (total) => `Un paiement de ${total} est complet.`,
      button: 'Ouvrir le paiement',
    },
    needs: {
      subject: (shop) => `${shop} : un paiement a besoin de vous`,
      title: 'Un paiement a besoin de vous',
      reasons: {
        underpaid: 'Il est arrivé moins que demandé. Acceptez, remboursez ou attendez le reste.',
        misdirected:
          'De l’argent est arrivé dans un autre actif ou sur un autre réseau que demandé. Décidez ce qu’il devient.',
        again: 'Un paiement déjà complet a été payé encore une fois. Remboursez le surplus.',
        billAgain:
          'Une facture déjà payée l’a été une fois de plus. Remboursez ce qui est en trop.',
        reversed:
          'Le réseau a repris un paiement qui était crédité. Vérifiez si vous avez déjà livré.',
        failed: 'De l’argent qui devait partir n’est pas parti, ou est revenu. Voyez pourquoi.',
      },
      button: 'Voir',
    },
    summary: {
      subject: (shop, day) => `${shop} : ${day}`,
      title: (day) => `Votre journée : ${day}`,
      paid: (count) => `Paiements complets : ${count}`,
      total: (sums) => `Au total : ${sums}`,
      needs: (count) => `Avaient besoin de quelqu’un : ${count}`,
      button: 'Ouvrir le tableau de bord',
    },
  },
};
