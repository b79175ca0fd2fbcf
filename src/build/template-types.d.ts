/** The part of `mjml` 5 and of its core that the template build uses; the packages ship no types. */
declare module 'mjml' {
  interface Options {
    filePath: string;
    actualPath: string;
    ignoreIncludes: boolean;
    validationLevel: 'strict';
    fonts: Record<string, string>;
    keepComments: boolean;
    minify: boolean;
    /** Passed on to htmlnano. */
    minifyOptions: Record<string, false>;
    preprocessors: ((xml: string) => string)[];
  }
  export default function mjml2html(mjml: string, options: Options): Promise<{ html: string }>;
}

declare module 'mjml-core' {
  export const components: Record<string, { allowedAttributes?: Record<string, string> }>;
}
