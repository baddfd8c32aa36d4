import type { LetterTexts, VerifyTexts } from './en.ts';

export const frLetters: LetterTexts = {
  test: 'Essai',
  testHint: 'C’était un essai\u00a0: aucun argent réel n’a été déplacé.',
  reference: (id) => `Référence\u00a0: ${id}`,
  contact: (contact) => `Des questions\u00a0? Adressez-vous à la boutique\u00a0: ${contact}`,
  why: (shop) =>
    `Vous recevez ce message parce que vous payez ${shop} et que la boutique a votre adresse.`,
  whyAsked: (shop) =>
    `Vous recevez cet e-mail parce que quelqu’un a indiqué votre adresse sur la page d’un paiement à ${shop}.`,
  leave: 'Ne plus recevoir de messages sur les paiements à cette boutique',
  seen: {
    subject: (shop) => `Votre paiement à ${shop} a été vu`,
    title: 'Votre paiement a été vu',
    body: (amount) =>
      `${amount} sont en route. Le réseau les confirme en ce moment\u00a0; vous n’avez rien à faire.`,
    button: 'Voir où cela en est',
  },
  paid: {
    subject: (shop) => `Votre paiement à ${shop} est complet`,
    title: 'Payé. Merci\u00a0!',
    body: (shop, total) => `${shop} a reçu votre paiement de ${total}.`,
    button: 'Ouvrir le reçu',
  },
  underpaid: {
    subject: (shop) => `Il manque une partie de votre paiement à ${shop}`,
    title: 'Il manque encore une partie',
    body: (received, remaining) => `${received} sont arrivés, il manque ${remaining}.`,
    todo: 'La page indique ce que coûte le reste maintenant et comment le payer. Vous ne voulez pas le payer\u00a0? Demandez un remboursement à la boutique en donnant la référence.',
    button: 'Payer le reste',
  },
  expired: {
    subject: (shop) => `Le délai pour payer ${shop} est écoulé`,
    title: 'Le délai de paiement est écoulé',
    body: 'Rien n’a été facturé. N’envoyez rien à l’ancien prix.',
    todo: 'Vous voulez encore payer\u00a0? La page vous donne un nouveau prix. Vous avez déjà envoyé\u00a0? Ce qui arrive est encore crédité\u00a0: gardez la référence.',
    money: {
      body: 'Quelque chose est arrivé qui ne compte pas comme ce paiement\u00a0: une autre monnaie, ou un transfert que le réseau n’a pas confirmé.',
      todo: 'Ce n’est pas perdu. Ce que le réseau confirmera plus tard sera crédité. Pour une autre monnaie, demandez à la boutique et donnez la référence. La page montre ce qui a été vu.',
    },
    button: 'Ouvrir la page',
  },
  claim: {
    subject: (shop) => `Un remboursement de ${shop} vous attend`,
    title: 'Un remboursement vous attend',
    body: (shop, amount) => `${shop} vous rend ${amount}. La page demande où l’envoyer.`,
    until: (moment) =>
      `Il est ouvert jusqu’au ${moment}. Ne transmettez le lien à personne\u00a0: qui l’a décide où va l’argent.`,
    button: 'Dire où l’envoyer',
  },
  sent: {
    subject: (shop) => `Votre remboursement de ${shop} a été envoyé`,
    title: 'Votre remboursement a été envoyé',
    body: (amount, address) => `${amount} ont été envoyés à ${address}.`,
    transaction: (transaction) => `Transaction\u00a0: ${transaction}`,
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
      subject: (shop, name) => `Rappel\u00a0: facture ${name} de ${shop}`,
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
    hint: 'La page montre la facture et prend le paiement, au prix de ce moment. Déjà payée\u00a0? Alors vous n’avez rien à faire.',
    number: (name) => `Numéro de facture\u00a0: ${name}`,
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
      subject: (shop, total) => `${shop}\u00a0: ${total} payés`,
      title: 'Payé',
      body: (total) => `Un paiement de ${total} est complet.`,
      button: 'Ouvrir le paiement',
    },
    needs: {
      subject: (shop) => `${shop}\u00a0: un paiement a besoin de vous`,
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
      subject: (shop, day) => `${shop}\u00a0: ${day}`,
      title: (day) => `Votre journée\u00a0: ${day}`,
      paid: (count) => `Paiements complets\u00a0: ${count}`,
      total: (sums) => `Au total\u00a0: ${sums}`,
      needs: (count) => `Avaient besoin de quelqu’un\u00a0: ${count}`,
      button: 'Ouvrir le tableau de bord',
    },
  },
};

export const frVerify: VerifyTexts = {
  title: 'Vérifier un reçu ou une facture',
  hint: 'Saisissez le code qui figure sur le reçu ou la facture. Vous voyez ce que nos livres en disent, et rien sur l’acheteur.',
  code: 'Code de vérification',
  at: 'Vérifier sur',
  check: 'Vérifier',
  unknown:
    'Aucun de nos reçus et aucune de nos factures ne porte ce code. Veuillez le comparer signe par signe.',
  compare: 'Comparez avec le document que vous tenez. C’est ce qui figure ici qui compte.',
  issuer: 'Émis par',
  states: {
    paid: 'C’est payé',
    partial: 'C’est payé en partie',
    open: 'Aucun paiement confirmé n’existe pour ceci',
    reversed: 'C’était payé, et le réseau a annulé le paiement',
    refunded: 'C’était payé, et l’argent a été rendu',
    partlyRefunded: 'C’était payé, et une partie a été rendue',
    cancelled: 'Cette facture a été annulée',
    cancellation: 'Ce document annule une facture',
  },
  worth: 'Montant payé',
  explorer: 'Sur le réseau',
};
