/** What we say in mails besides the publisher's own words. */
export interface Strings {
  /** The preheader: `5 new articles`. */
  newArticles: (count: number) => string;
  nothingNew: string;
  issueNumber: (number: string) => string;
  by: (names: string) => string;
  readOn: string;
  alsoNew: string;
  andMore: (count: number) => string;
  /** Why a digest comes; `publication` is absent when the digest has the same name. */
  subscribed: (digest: string, publication?: string) => string;
  /** Why a notice comes. */
  sentBy: (publication: string) => string;
  unsubscribe: string;
  webVersion: string;
  imprint: string;
  privacy: string;
  /** The heading of a reissue's reason. */
  correction: string;
  correctedSubject: (subject: string) => string;
  /** The link from a corrected issue to the one before. */
  earlierVersion: string;
  buttonHelp: string;
  /** The link to a subscriber's own page. */
  preferences: string;
  /** Locale of these words, for names of days and lists. */
  locale: string;
  everyDay: string;
  everyWeek: (days: string) => string;
  everyMonth: (day: number) => string;
  /** When a digest is due: one of the three before, `08:00`, and whose clock that is. */
  due: (rhythm: string, time: string, place: { city: string } | { zone: string }) => string;
  confirmation: ConfirmationStrings;
}

/** What the mail says that asks to confirm a subscription. */
export interface ConfirmationStrings {
  /** `title` is the digest's, or the publication's when several were chosen. */
  subject: (title: string) => string;
  preheader: string;
  heading: string;
  asked: (publication: string) => string;
  button: string;
  /** How long the link works, in days. */
  valid: (days: number) => string;
  /** For who did not ask: what happens without a click, and after how many days. */
  notYou: (days: number) => string;
  why: (publication: string) => string;
}

const ENGLISH: Strings = {
  newArticles: (count) => (count === 0 ? 'No new articles' : count === 1 ? '1 new article' : `${count} new articles`),
  nothingNew: 'There is nothing new this time.',
  issueNumber: (number) => `No. ${number}`,
  by: (names) => `By ${names}`,
  readOn: 'Read on',
  alsoNew: 'Also new',
  andMore: (count) => `and ${count} more`,
  subscribed: (digest, publication) =>
    `You get this because you subscribed to ${digest}${publication === undefined ? '' : ` at ${publication}`}.`,
  sentBy: (publication) => `This mail was sent by ${publication}.`,
  unsubscribe: 'Unsubscribe',
  webVersion: 'Read on the web',
  imprint: 'Imprint',
  privacy: 'Privacy',
  correction: 'Correction',
  correctedSubject: (subject) => `Corrected: ${subject}`,
  earlierVersion: 'The earlier version',
  buttonHelp: 'If the button does nothing, copy this address into your browser:',
  preferences: 'Manage your subscription',
  locale: 'en',
  everyDay: 'Every day',
  everyWeek: (days) => `Every ${days}`,
  everyMonth: (day) => `On the ${ordinal(day)} of every month`,
  due: (rhythm, time, place) => `${rhythm} at ${time}${'city' in place ? `, ${place.city} time` : ` ${place.zone}`}`,
  confirmation: {
    subject: (title) => `Please confirm: ${title}`,
    preheader: 'One click, and your subscription begins.',
    heading: 'Is this you?',
    asked: (publication) => `Somebody, we hope you, entered this address at ${publication}, to get this by email:`,
    button: 'Yes, subscribe me',
    valid: (days) => `The link works for ${days} days.`,
    notYou: (days) =>
      `If it was not you, ignore this mail: nothing is sent to you, and the address is deleted after ${days} days.`,
    why: (publication) => `You get this mail once, because this address was entered at ${publication}.`,
  },
};

const GERMAN: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Keine neuen Artikel' : count === 1 ? '1 neuer Artikel' : `${count} neue Artikel`,
  nothingNew: 'Diesmal gibt es nichts Neues.',
  issueNumber: (number) => `Nr. ${number}`,
  by: (names) => `Von ${names}`,
  readOn: 'Weiterlesen',
  alsoNew: 'Außerdem neu',
  andMore: (count) => `und ${count} weitere`,
  subscribed: (digest, publication) =>
    `Diese Mail kommt, weil ${digest}${publication === undefined ? '' : ` bei ${publication}`} unter dieser Adresse abonniert wurde.`,
  sentBy: (publication) => `Diese Mail kommt von ${publication}.`,
  unsubscribe: 'Abbestellen',
  webVersion: 'Im Web lesen',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  correction: 'Berichtigung',
  correctedSubject: (subject) => `Berichtigt: ${subject}`,
  earlierVersion: 'Die frühere Fassung',
  buttonHelp: 'Wenn die Schaltfläche nichts tut, kopieren Sie diese Adresse in den Browser:',
  preferences: 'Abonnement verwalten',
  locale: 'de',
  everyDay: 'Täglich',
  everyWeek: (days) => `Jeden ${days}`,
  everyMonth: (day) => `Am ${day}. jedes Monats`,
  due: (rhythm, time, place) => `${rhythm} um ${time} Uhr (${'city' in place ? place.city : place.zone})`,
  confirmation: {
    subject: (title) => `Bitte bestätigen: ${title}`,
    preheader: 'Ein Klick, und das Abonnement beginnt.',
    heading: 'Sind Sie das?',
    asked: (publication) =>
      `Jemand, hoffentlich Sie, hat diese Adresse bei ${publication} eingetragen, um dies per Mail zu bekommen:`,
    button: 'Ja, ich abonniere',
    valid: (days) => `Der Link gilt ${days} Tage.`,
    notYou: (days) =>
      `Wenn Sie es nicht waren, lassen Sie diese Mail liegen: Es wird nichts geschickt, und die Adresse wird nach ${days} Tagen gelöscht.`,
    why: (publication) => `Diese Mail kommt einmal, weil diese Adresse bei ${publication} eingetragen wurde.`,
  },
};

const FRENCH: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Aucun nouvel article' : count === 1 ? '1 nouvel article' : `${count} nouveaux articles`,
  nothingNew: 'Rien de nouveau cette fois-ci.',
  issueNumber: (number) => `N° ${number}`,
  by: (names) => `Par ${names}`,
  readOn: 'Lire la suite',
  alsoNew: 'Autres nouveautés',
  andMore: (count) => `et ${count} de plus`,
  subscribed: (digest, publication) =>
    `Vous recevez ce message parce que vous êtes abonné à ${digest}${publication === undefined ? '' : ` (${publication})`}.`,
  sentBy: (publication) => `Ce message vous est envoyé par ${publication}.`,
  unsubscribe: 'Se désabonner',
  webVersion: 'Lire sur le web',
  imprint: 'Mentions légales',
  privacy: 'Confidentialité',
  correction: 'Rectificatif',
  correctedSubject: (subject) => `Rectifié : ${subject}`,
  earlierVersion: 'La version précédente',
  buttonHelp: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  preferences: 'Gérer votre abonnement',
  locale: 'fr',
  everyDay: 'Tous les jours',
  everyWeek: (days) => `Chaque ${days}`,
  everyMonth: (day) => `Le ${day === 1 ? '1er' : day} de chaque mois`,
  due: (rhythm, time, place) => `${rhythm} à ${time} (${'city' in place ? place.city : place.zone})`,
  confirmation: {
    subject: (title) => `Merci de confirmer : ${title}`,
    preheader: 'Un clic, et votre abonnement commence.',
    heading: 'Est-ce bien vous ?',
    asked: (publication) =>
      `Quelqu’un, vous sans doute, a saisi cette adresse (${publication}) pour recevoir ceci par e-mail :`,
    button: 'Oui, je m’abonne',
    valid: (days) => `Le lien est valable ${days} jours.`,
    notYou: (days) =>
      `Si ce n’était pas vous, ignorez ce message : rien ne sera envoyé, et l’adresse sera effacée après ${days} jours.`,
    why: (publication) => `Vous recevez ce message une seule fois, car cette adresse a été saisie (${publication}).`,
  },
};

const SPANISH: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Ningún artículo nuevo' : count === 1 ? '1 artículo nuevo' : `${count} artículos nuevos`,
  nothingNew: 'Esta vez no hay nada nuevo.',
  issueNumber: (number) => `N.º ${number}`,
  by: (names) => `Por ${names}`,
  readOn: 'Seguir leyendo',
  alsoNew: 'También nuevo',
  andMore: (count) => `y ${count} más`,
  subscribed: (digest, publication) =>
    `Recibes este mensaje porque te suscribiste a ${digest}${publication === undefined ? '' : ` en ${publication}`}.`,
  sentBy: (publication) => `Este mensaje lo envía ${publication}.`,
  unsubscribe: 'Cancelar la suscripción',
  webVersion: 'Leer en la web',
  imprint: 'Aviso legal',
  privacy: 'Privacidad',
  correction: 'Corrección',
  correctedSubject: (subject) => `Corregido: ${subject}`,
  earlierVersion: 'La versión anterior',
  buttonHelp: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  preferences: 'Gestionar tu suscripción',
  locale: 'es',
  everyDay: 'Todos los días',
  everyWeek: (days) => `Cada ${days}`,
  everyMonth: (day) => `El día ${day} de cada mes`,
  due: (rhythm, time, place) =>
    `${rhythm} a ${time.startsWith('01') ? 'la' : 'las'} ${time} (${'city' in place ? place.city : place.zone})`,
  confirmation: {
    subject: (title) => `Confirma, por favor: ${title}`,
    preheader: 'Un clic y empieza tu suscripción.',
    heading: '¿Eres tú?',
    asked: (publication) =>
      `Alguien, esperamos que tú, ha escrito esta dirección en ${publication} para recibir esto por correo:`,
    button: 'Sí, quiero suscribirme',
    valid: (days) => `El enlace funciona durante ${days} días.`,
    notYou: (days) =>
      `Si no has sido tú, no hagas caso de este mensaje: no se envía nada, y la dirección se borra a los ${days} días.`,
    why: (publication) => `Recibes este mensaje una sola vez, porque se escribió esta dirección en ${publication}.`,
  },
};

// Counts stand behind a colon: Arabic has six plural forms, and a noun in the list form fits all of them.
const ARABIC: Strings = {
  newArticles: (count) => `مقالات جديدة: ${count}`,
  nothingNew: 'لا جديد هذه المرة.',
  issueNumber: (number) => `العدد ${number}`,
  by: (names) => `بقلم ${names}`,
  readOn: 'تابع القراءة',
  alsoNew: 'جديد أيضًا',
  andMore: (count) => `مقالات أخرى: ${count}`,
  subscribed: (digest, publication) =>
    `تصلك هذه الرسالة لأنك اشتركت في «${digest}»${publication === undefined ? '' : ` لدى «${publication}»`}.`,
  sentBy: (publication) => `أُرسلت هذه الرسالة من «${publication}».`,
  unsubscribe: 'إلغاء الاشتراك',
  webVersion: 'القراءة على الويب',
  imprint: 'بيانات الناشر',
  privacy: 'الخصوصية',
  correction: 'تصحيح',
  correctedSubject: (subject) => `تصحيح: ${subject}`,
  earlierVersion: 'النسخة السابقة',
  buttonHelp: 'إذا لم يعمل الزر، فانسخ هذا العنوان إلى المتصفح:',
  preferences: 'إدارة اشتراكك',
  locale: 'ar',
  everyDay: 'يوميًا',
  everyWeek: (days) => `أسبوعيًا، ${days}،`,
  everyMonth: (day) => `في اليوم ${day} من كل شهر`,
  // Held together, or a line's end would turn the brackets about.
  due: (rhythm, time, place) =>
    `${rhythm} الساعة ${time} (${('city' in place ? place.city : place.zone).replaceAll(' ', '\u00A0')})`,
  confirmation: {
    subject: (title) => `يرجى التأكيد: ${title}`,
    preheader: 'بنقرة واحدة يبدأ اشتراكك.',
    heading: 'هل هذا أنت؟',
    asked: (publication) => `أدخل شخص ما، ونرجو أن يكون أنت، هذا العنوان لدى «${publication}» ليصله بالبريد ما يلي:`,
    button: 'نعم، أريد الاشتراك',
    valid: (days) => `مدة صلاحية الرابط بالأيام: ${days}.`,
    notYou: (days) =>
      `إذا لم تكن أنت، فتجاهل هذه الرسالة: لن يُرسل إليك شيء، وسيُحذف العنوان بعد هذه المدة بالأيام: ${days}.`,
    why: (publication) => `تصلك هذه الرسالة مرة واحدة لأن هذا العنوان أُدخل لدى «${publication}».`,
  },
};

const TABLE: Record<string, Strings> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  ar: ARABIC,
};

/** `1st`, `22nd`, `13th`. */
function ordinal(number: number): string {
  const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
  return `${number}${endings[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)] ?? 'th'}`;
}

/** The words for a BCP 47 language tag; English for a language we do not speak. */
export function stringsFor(language: string): Strings {
  return TABLE[language.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH;
}
