declare module 'virtual:texts' {
  /** The parts of the texts: `house` for every page, and those that few visitors open. */
  export type Part =
    | 'house'
    | 'workshop'
    | 'balance'
    | 'study'
    | 'account'
    | 'profile'
    | 'inbox'
    | 'library'
    | 'puzzles'
    | 'pages'
    | 'together'
    | 'rare'
    | 'rules';
  /** The addresses of the texts of each language, by part. */
  const urls: Record<'en' | 'zh', Record<Part, string>>;
  export default urls;
}

interface Window {
  /**
   * Set by public/theme.js, which may be missing. Receives the number of failed tries to load a part without which
   * there is no page; 0 once the page is drawn.
   */
  told?: (failed: number) => void;
}
