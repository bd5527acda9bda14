const blocks = new Set(['Show', 'Hide', 'Minimal', 'Continue', 'Import']);

/** Conditions and actions that may stand in a block. A value has to follow them. */
const lines = new Set([
  'AreaLevel', 'BaseType', 'Class', 'Corrupted', 'CustomAlertSound', 'DropLevel', 'Height', 'Identified', 'ItemLevel',
  'LinkedSockets', 'MinimapIcon', 'Mirrored', 'PlayAlertSound', 'PlayEffect', 'Quality', 'Rarity', 'SetBackgroundColor',
  'SetBorderColor', 'SetFontSize', 'SetTextColor', 'Sockets', 'SocketGroup', 'StackSize', 'Width',
]); // prettier-ignore

/**
 * Whether a filter's text passes the mock's own, small rule, since the interface shows none (4.2): every line is blank,
 * a comment, or starts with a word of the list; and the word of a condition or action has a value after it.
 */
export function isValidFilter(text: string): boolean {
  return text.split(/\r\n|\r|\n/).every((line) => {
    const [word = '', value] = line.replace(/#.*$/, '').trim().split(/\s+/, 2);
    return word === '' || blocks.has(word) || (lines.has(word) && value !== undefined);
  });
}
