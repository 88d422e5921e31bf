// Lint rule `dictionary/words`: names, string literals, test titles and comments use the field's terms. A reader searches code, logs
// and documents for the terms that engineers use, so homely words for them are errors.

/** Words inside identifiers, split at humps and underscores: the word, and the term to write. */
const NAMES = [
  [/^(tell|tells|told|untold|heard|say|said)$/, 'notify, announce, receive, report, print'],
  [/^(away|aside)$/, 'unavailable, unreachable, disconnected; standby'],
  [/^(forgiven?|forgives|unforgiven)$/, 'tolerate, tolerated'],
  [/^(bury|buried|buries)$/, 'deadLetter, markDead'],
  [/^(outrun|crowded|spilt|parcel)$/, 'tagConflict, isStaleStart; evicted; overflow; batch'],
  [/^(unsettled)$/, 'dirty'],
  [/^(chore|chores|trouble|troubles|lane|lanes)$/, 'PeriodicJob, OutageReporter, ConcurrencyLimiter'],
  [/^(wording|worded)$/, 'encode, text'],
  [/^(guesses|guessing)$/, 'LoginThrottle, attempts'],
  [/^(holdings)$/, 'deviceState'],
];

/** Sequences of words inside identifiers. */
const COMPOUNDS = [
  [/^MOST_|^LONGEST_|_AT_ONCE$/, 'MAX_X, X_CONCURRENCY'],
  [/^(older|newer)(Api|Path|Words)$|InOlderWords$/, 'v1, v2'],
  [/^(goesOn|goingOn|underWay|keySet|mayHold|halfDone|atOnce|whyNotNow|takesPart|standsAside)$/i, "the field's term"],
  [/^(KeptAnswers?|FirstTimes|PlacedRows|SessionTies?|LostToOthers)$/i, "the field's term"],
];

/** Phrases of texts: logs, errors, API descriptions, metric HELP, test titles, comments. */
const PHRASES = [
  [/\b(told|tells|heard|said)\b/i, 'notified, announced, received, reported'],
  [
    /\b(is|are|was|were|be|been|goes|gone|go|stays?|stayed|while|still|long) away\b|\baway for\b/i,
    'unavailable, unreachable, disconnected',
  ],
  [/\b(brought back|the way back)\b/i, 'restored, rollback'],
  [/\bunder way\b/i, 'in progress, in flight'],
  [/\b(puts? up with|forgiven?|forgives|gets? wrong)\b/i, 'tolerate; deviation'],
  [/\bcomes? again\b/i, 'retry'],
  [/\b(stands? aside|takes? part)\b/i, 'standby, active'],
  [/\b(bury|buried|buries)\b/i, 'dead-letter'],
  [/\b(goes on|go on|going on|went on)(?! standby)\b/i, 'continue'],
  [/\b(stands? still|stood still)\b/i, 'suspended, does not advance'],
  [/\boutrun\b/i, 'stale'],
  [/\bkept answers?\b/i, 'stored response'],
  [/\b(older|newer|both) generations?\b/i, 'v1 (legacy) API, v2 API'],
  [/\binstants?\b/i, 'timestamp'],
  [/\bwho(so)?ever\b/i, 'name who'],
  [/\bfor good\b/i, 'permanently'],
  [/\bguess(es|ed|ing)?\b/i, 'brute force, estimate, derive'],
  [/\b(wording|put into words)\b/i, 'text, encode'],
];

export const dictionary = {
  rules: {
    words: {
      meta: {
        type: 'suggestion',
        schema: [],
        messages: { term: '"{{found}}" is not a term of the field: write {{instead}}' },
      },
      create(context) {
        const report = (node, found, instead) => context.report({ node, messageId: 'term', data: { found, instead } });
        const checkText = (node, text) => {
          for (const [pattern, instead] of PHRASES) {
            const match = pattern.exec(text);
            if (match !== null) report(node, match[0], instead);
          }
        };
        return {
          Identifier: (node) => checkName(node, report),
          Literal: (node) => typeof node.value === 'string' && checkText(node, node.value),
          TemplateElement: (node) => checkText(node, node.value.cooked ?? node.value.raw),
          Program: () => {
            for (const comment of context.sourceCode.getAllComments()) checkText(comment, comment.value);
          },
        };
      },
    },
  },
};

// Names are checked where they are declared; uses of a foreign API's names are not ours.
function checkName(node, report) {
  if (!isDeclaration(node)) return;
  for (const [pattern, instead] of COMPOUNDS) if (pattern.test(node.name)) report(node, node.name, instead);
  for (const word of wordsOf(node.name)) {
    for (const [pattern, instead] of NAMES) if (pattern.test(word)) report(node, node.name, instead);
  }
}

function isDeclaration({ parent }) {
  return !(
    parent.type === 'MemberExpression' ||
    parent.type === 'ImportSpecifier' ||
    parent.type === 'TSQualifiedName'
  );
}

function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
