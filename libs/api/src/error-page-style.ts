/** The styles of the pages of error codes, allowed by their hash. */
export const ERROR_PAGE_STYLE = `
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: 0.25rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.25rem; }
p { margin: 0.25rem 0; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid #8886; border-radius: 0.4rem; }
table { border-collapse: collapse; margin-top: 1rem; }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; border-bottom: 1px solid #8884; }
`;
