declare module 'virtual:texts' {
  /** The house, and the rooms of it that few come to. */
  export type Part =
    'house' | 'workshop' | 'balance' | 'study' | 'account' | 'profile' | 'inbox' | 'library' | 'puzzles' | 'together' | 'rare' | 'rules';
  /** The addresses of the texts of each language, by part. */
  const urls: Record<'en' | 'zh', Record<Part, string>>;
  export default urls;
}

interface Window {
  /** public/theme.js, which may not have come: it is told how often something has failed without which there is no page; 0 once the page stands. */
  told?: (failed: number) => void;
}
