// French of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const frToday: TodayTexts = {
  today: {
    title: 'Aujourd’hui',
    first: 'Par où commencer',
    nothingSold: 'Rien n’a encore été vendu ici.',
    tryFirst:
      'Essayez d’abord tout en mode test : tout y est pareil, et aucun argent réel ne bouge.',
    manual: 'Manuel',
    steps: {
      key: 'Créez une clé API : votre boutique signe ses requêtes avec elle.',
      checkout: 'Demandez un premier paiement : le manuel montre la ligne à coller.',
      webhook: 'Faites prévenir votre boutique quand quelqu’un a payé.',
      settings: 'Votre nom, votre couleur et votre logo sur les pages que voient les clients.',
      people: 'Invitez ceux qui travaillent avec vous, chacun avec un rôle.',
    },
    needsTitle: 'Ce qui attend quelqu’un',
    nothingWaits: 'Rien n’attend personne.',
    oldest: 'Le plus ancien',
    needs: {
      underpaid: {
        label: 'Payé en partie',
        hint: 'Il est arrivé moins que demandé. Acceptez-le, ou attendez le reste.',
      },
      late: {
        label: 'Payé en retard',
        hint: 'Arrivé après le délai, et insuffisant au prix du jour. Acceptez-le, ou demandez le reste.',
      },
      'bill-again': {
        label: 'Factures payées deux fois',
        hint: 'Deux paiements ont été crédités pour une facture. Remboursez celui qui est en trop, ou dites comment cela a été réglé.',
      },
      'wrong-asset': {
        label: 'Autre actif ou autre réseau que demandé',
        hint: 'C’est arrivé et mis de côté, non crédité. Qui gère ce serveur le renvoie ou l’attribue.',
      },
      suspense: {
        label: 'Argent sans propriétaire qui vous nomme',
        hint: 'Il est mis de côté jusqu’à la décision de qui gère ce serveur.',
      },
      parked: {
        label: 'Paiements qui n’ont pas pu être décidés',
        hint: 'Ils sont réessayés. S’ils restent, prévenez qui gère ce serveur.',
      },
      'parked-address': {
        label: 'Adresses de dépôt qui n’ont pas pu être décidées',
        hint: 'Prévenez qui gère ce serveur.',
      },
      'webhook-given-up': {
        label: 'Webhooks abandonnés',
        hint: 'Votre boutique n’a pas été prévenue. Voyez sa réponse, et renvoyez-les.',
      },
      'webhook-failing': {
        label: 'Webhooks en échec',
        hint: 'Votre boutique ne répond pas comme il faut. Un nouvel essai suit de lui-même.',
      },
      approval: {
        label: 'En attente d’une seconde personne',
        hint: 'Une autre personne que celle qui a commencé doit approuver.',
      },
      transfer: {
        label: 'Virements à signer ou à envoyer',
        hint: 'Qui gère ce serveur les envoie à la main, ou répare ce qui les retient.',
      },
    },
    cameIn: 'Ce qui est entré',
    cameInHint:
      'Les jours sont ceux d’UTC. Les factures comptent telles qu’écrites ; le reste aux prix enregistrés ce jour-là.',
    periods: {
      1: 'Aujourd’hui',
      7: '7 jours',
      30: '30 jours',
    },
    payments: 'Paiements',
    worth: 'Valeur',
    withoutPrice: 'Et sans prix enregistré',
    byDay: 'Par jour',
    byAsset: 'Par moyen de paiement',
    byLanguage: 'Par langue du client',
    asTable: 'En tableau',
    day: 'Jour',
    asset: 'Actif',
    language: 'Langue',
    noLanguage: 'Sans page de paiement',
    notKnown: 'Inconnu',
  },
};
