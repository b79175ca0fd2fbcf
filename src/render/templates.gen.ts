// Made by src/build/templates.ts from templates/; change those and run it again.
import { escapeHtml, filled } from './mail/escape.ts';
import type { ConfirmationView, DigestView, NoticeView } from './mail/views.ts';

const s0 = '" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><title>';
const s1 = '</title><!--[if !mso]><!--><meta http-equiv="X-UA-Compatible" content="IE=edge"><!--<![endif]--><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style type="text/css">#outlook a{padding:0}body{margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}table,td{border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt}img{border:0;height:auto;line-height:100%;outline:none;text-decoration:none;-ms-interpolation-mode:bicubic}p{display:block;margin:13px 0}</style><!--[if mso]>\n    <noscript>\n    <xml>\n    <o:OfficeDocumentSettings>\n      <o:AllowPNG/>\n      <o:PixelsPerInch>96</o:PixelsPerInch>\n    </o:OfficeDocumentSettings>\n    </xml>\n    </noscript>\n    <![endif]--><!--[if lte mso 11]>\n    <style type="text/css">.mj-outlook-group-fix{width:100%!important}</style>\n    <![endif]--><style type="text/css">@media only screen and (min-width:640px){.mj-column-per-100{width:100%!important;max-width:100%}}</style><style media="screen and (min-width:640px)">.moz-text-html .mj-column-per-100{width:100%!important;max-width:100%}</style><style type="text/css">:root{color-scheme:light dark;supported-color-schemes:light dark}a{color:#8a1c2c}.body p,.body ul,.body ol,.body figure,.body table,.body pre,.body blockquote{margin:0 0 16px}.body h2,.body h3,.body h4{margin:28px 0 8px;font-size:18px;line-height:1.35}.body ul,.body ol{padding-';
const s2 = ':24px}.body blockquote{padding:0 20px;font-family:Georgia,Times New Roman,Times,serif;font-style:italic}.body img,.body video{max-width:100%;height:auto}.body pre{padding:12px 16px;background-color:#f3f1ec;overflow-x:auto;white-space:pre-wrap;font-size:14px;line-height:1.5}.body pre,.body code{direction:';
const s3 = ';font-family:Menlo,Consolas,monospace}.body code{font-size:14px}.body table{display:block;max-width:100%;overflow-x:auto;border-collapse:collapse;font-size:15px;word-break:normal}.body th,.body td{padding:6px 12px 6px 0;border-bottom:1px solid #dcd7cc;text-align:inherit;vertical-align:top}@media(max-width:639px){.pad{padding-';
const s4 = ':20px!important}.gap div{height:0!important;line-height:0!important}.name{font-size:30px!important}}@media(prefers-color-scheme:dark){body,.page>div{background-color:#111214!important}.sheet,.sheet>table{background:#1b1c1f!important;background-color:#1b1c1f!important}.ink,.ink div,.ink p,.ink .plain{color:#ece8df!important}.soft,.soft div,.soft p,.ink .soft{color:#b5afa2!important}.rule{border-color:#44423d!important}.bar{border-color:#8f897c!important}a{color:#f0a3a8!important}.note{background-color:#3a2f1a!important;border-color:#d9a441!important}.body pre{background-color:#27282c!important}.body th,.body td{border-color:#44423d!important}.button a{color:#fff!important}}</style><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no"></head><body class="page" style="word-spacing:normal;background-color:#f3f1ec;"><div aria-label="';
const s5 = '" aria-roledescription="email" role="article" lang="';
const s6 = '" style="word-spacing:normal;background-color:#f3f1ec;"> <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;color:#22201c;">';
const s7 = '</div> <!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:640px;" width="640" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]--> <div style="margin:0px auto;max-width:640px;"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"><tbody><tr><td style="direction:';
const s8 = ';font-size:0px;padding:0;text-align:center;"><!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:640px;" ><![endif]--> <div class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:';
const s9 = ';display:inline-block;vertical-align:top;width:100%;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody><tr><td class="gap" style="font-size:0px;word-break:break-word;"><div style="height:24px;line-height:24px;">&#8202;</div></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="sheet-outlook" role="presentation" style="width:640px;" width="640" bgcolor="#ffffff" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]--> <div class="sheet" style="background:#ffffff;background-color:#ffffff;margin:0px auto;max-width:640px;"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#ffffff;background-color:#ffffff;width:100%;"><tbody><tr><td style="direction:';
const s10 = ';display:inline-block;vertical-align:top;width:100%;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody><tr><td align="center" class="pad ink" style="font-size:0px;padding:36px 44px 0;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:center;color:#22201c;"><h1 class="name" style="margin:0;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:38px;line-height:1.15;font-weight:700;"><a class="plain" href="';
const s11 = '" style="color:#22201c;text-decoration:none;">';
const s12 = '</a></h1></div></td></tr><tr><td align="';
const s13 = '" class="pad ink" style="font-size:0px;padding:20px 44px 8px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:';
const s14 = ';color:#22201c;"><div class="bar" style="border-top:3px double #22201c;font-size:0;line-height:24px;">&nbsp;</div> <h2 style="margin:0 0 12px;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:27px;line-height:1.25;font-weight:700;">';
const s15 = '</h2> <p style="margin:0 0 20px;">';
const s16 = ' <div class="bar" style="margin:0 0 20px;padding:2px 18px;border-';
const s17 = ':3px solid #8a1c2c;"> <p style="margin:0;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:20px;line-height:1.35;font-weight:700;"><bdi>';
const s18 = '<p style="margin:4px 0 0;"><bdi>';
const s19 = '<p class="soft" style="margin:4px 0 0;font-size:14px;line-height:1.5;color:#635d52;">';
const s20 = '" class="pad button" style="font-size:0px;padding:8px 44px 20px;word-break:break-word;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"><tbody><tr><td align="center" bgcolor="#8a1c2c" role="presentation" style="border:none;border-radius:4px;cursor:auto;mso-padding-alt:14px 28px;background:#8a1c2c;" valign="middle"><a href="';
const s21 = '" style="display:inline-block;background:#8a1c2c;color:#ffffff;font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;font-weight:600;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:14px 28px;mso-padding-alt:0px;border-radius:4px;" target="_blank"> ';
const s22 = ' </a></td></tr></tbody></table></td></tr><tr><td align="';
const s23 = '" class="pad soft" style="font-size:0px;padding:0 44px 16px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:14px;line-height:1.6;text-align:';
const s24 = ';color:#635d52;"><p style="margin:0;">';
const s25 = '" style="color:#8a1c2c;word-break:break-all;">';
const s26 = '</a></p></div></td></tr><tr><td align="';
const s27 = '" class="pad ink" style="font-size:0px;padding:0 44px 36px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:';
const s28 = ';color:#22201c;"><p style="margin:0;">';
const s29 = '</p></div></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:640px;" width="640" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]--> <div style="margin:0px auto;max-width:640px;"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"><tbody><tr><td style="direction:';
const s30 = ';display:inline-block;vertical-align:top;width:100%;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody><tr><td align="';
const s31 = '" class="pad soft" style="font-size:0px;padding:24px 44px 40px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:14px;line-height:1.6;text-align:';
const s32 = ';color:#5c574d;"><p style="margin:0 0 10px;">';
const s33 = '</p> <p style="margin:0 0 10px;">';
const s34 = '" style="display:inline-block;padding:8px 0;margin-';
const s35 = '</div></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><![endif]--> </div></body></html>';
const s36 = '</a></h1></div></td></tr><tr><td align="center" class="pad" style="font-size:0px;padding:8px 44px 28px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:center;color:#22201c;"><p class="soft bar" style="margin:0;padding:0 0 22px;border-bottom:3px double #22201c;font-size:14px;line-height:1.5;color:#635d52;">';
const s37 = '" class="pad ink" style="font-size:0px;padding:0 44px 28px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:';
const s38 = ';color:#22201c;"><div class="note" style="padding:14px 18px;background-color:#fbf3dc;border-';
const s39 = ':4px solid #c48a1a;font-size:16px;"> <strong>';
const s40 = '" class="pad ink" style="font-size:0px;padding:0 44px 12px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:';
const s41 = '<div class="rule" style="border-top:1px solid #dcd7cc;font-size:0;line-height:28px;">&nbsp;</div>';
const s42 = '" width="552" style="display:block;width:100%;max-width:552px;height:auto;margin:0 0 20px;"></a>';
const s43 = ' <h2 style="margin:0 0 6px;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:25px;line-height:1.25;font-weight:700;">';
const s44 = '" class="soft" style="margin:0 0 14px;font-size:14px;line-height:1.5;color:#635d52;">';
const s45 = '" style="display:inline-block;padding:10px 0 4px;font-weight:600;color:#8a1c2c;">';
const s46 = '" class="pad ink" style="font-size:0px;padding:0 44px 20px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:17px;line-height:1.6;text-align:';
const s47 = ';color:#22201c;"><h2 class="bar" style="margin:0;padding:24px 0 8px;border-top:3px double #22201c;font-size:14px;line-height:1.5;font-weight:600;">';
const s48 = '" style="display:block;padding:9px 0;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:18px;line-height:1.35;color:#22201c;text-decoration:none;"><bdi>';
const s49 = '" style="display:inline-block;padding:10px 0;font-weight:600;color:#8a1c2c;">';
const s50 = '</tbody></table></div> <!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div> <!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:640px;" width="640" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]--> <div style="margin:0px auto;max-width:640px;"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"><tbody><tr><td style="direction:';
const s51 = '" class="pad ink" style="font-size:0px;padding:36px 44px 0;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:15px;line-height:1.6;text-align:';
const s52 = ';color:#22201c;"><a class="plain" href="';
const s53 = '" style="color:#22201c;text-decoration:none;font-weight:600;">';
const s54 = '</a></div></td></tr><tr><td align="';
const s55 = ';color:#22201c;"><h1 style="margin:0 0 16px;font-family:Georgia,\'Times New Roman\',Times,serif;font-size:27px;line-height:1.25;font-weight:700;">';
const s56 = '" class="pad soft" style="font-size:0px;padding:0 44px 36px;word-break:break-word;"><div style="font-family:\'Segoe UI\', -apple-system, BlinkMacSystemFont, Roboto, Helvetica, Arial, sans-serif;font-size:14px;line-height:1.6;text-align:';

export function confirmationLtr(v: ConfirmationView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'ltr' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'ltr' + s6 + escapeHtml(v.preheader) + s7 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s9 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s10 + escapeHtml(v.home) + s11 + escapeHtml(v.publication) + s12 + 'left' + s13 + 'left' + s14 + escapeHtml(v.heading) + s15 + escapeHtml(v.asked) + '</p> ';
  for (const v1 of v.digests) {
    out += s16 + 'left' + s17 + escapeHtml(v1.title) + '</bdi></p> ';
    if (filled(v1.description)) {
      out += s18 + escapeHtml(v1.description) + '</bdi></p>';
    }
    out += ' ';
    if (filled(v1.rhythm)) {
      out += s19 + escapeHtml(v1.rhythm) + '</p>';
    }
    out += ' </div> ';
  }
  out += '</div></td></tr><tr><td align="' + 'left' + s20 + escapeHtml(v.button.url) + s21 + escapeHtml(v.button.label) + s22 + 'left' + s23 + 'left' + s24 + escapeHtml(v.buttonHelp) + '<br><a href="' + escapeHtml(v.button.url) + s25 + escapeHtml(v.button.url) + s26 + 'left' + s27 + 'left' + s28 + escapeHtml(v.valid) + ' ' + escapeHtml(v.notYou) + s29 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s30 + 'left' + s31 + 'left' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'right' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export function confirmationRtl(v: ConfirmationView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'rtl' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'rtl' + s6 + escapeHtml(v.preheader) + s7 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s9 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s10 + escapeHtml(v.home) + s11 + escapeHtml(v.publication) + s12 + 'right' + s13 + 'right' + s14 + escapeHtml(v.heading) + s15 + escapeHtml(v.asked) + '</p> ';
  for (const v1 of v.digests) {
    out += s16 + 'right' + s17 + escapeHtml(v1.title) + '</bdi></p> ';
    if (filled(v1.description)) {
      out += s18 + escapeHtml(v1.description) + '</bdi></p>';
    }
    out += ' ';
    if (filled(v1.rhythm)) {
      out += s19 + escapeHtml(v1.rhythm) + '</p>';
    }
    out += ' </div> ';
  }
  out += '</div></td></tr><tr><td align="' + 'right' + s20 + escapeHtml(v.button.url) + s21 + escapeHtml(v.button.label) + s22 + 'right' + s23 + 'right' + s24 + escapeHtml(v.buttonHelp) + '<br><a href="' + escapeHtml(v.button.url) + s25 + escapeHtml(v.button.url) + s26 + 'right' + s27 + 'right' + s28 + escapeHtml(v.valid) + ' ' + escapeHtml(v.notYou) + s29 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s30 + 'right' + s31 + 'right' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'left' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export function digestLtr(v: DigestView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'ltr' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'ltr' + s6 + escapeHtml(v.preheader) + s7 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s9 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s10 + escapeHtml(v.home) + s11 + escapeHtml(v.publication) + s36;
  if (filled(v.digest)) {
    out += '<bdi>' + escapeHtml(v.digest) + '</bdi> &middot; ';
  }
  out += '<bdi>' + escapeHtml(v.issue) + '</bdi></p></div></td></tr>';
  if (filled(v.correction)) {
    out += '<tr><td align="' + 'left' + s37 + 'left' + s38 + 'left' + s39 + escapeHtml(v.correction.heading) + '</strong><br>' + escapeHtml(v.correction.reason) + ' </div></div></td></tr>';
  }
  if (filled(v.intro)) {
    out += '<tr><td align="' + 'left' + s40 + 'left' + ';color:#22201c;">';
    for (const v1 of v.intro) {
      out += '<p style="margin:0 0 16px;">' + escapeHtml(v1) + '</p>';
    }
    out += '</div></td></tr>';
  }
  if (filled(v.nothing)) {
    out += '<tr><td align="' + 'left' + s27 + 'left' + ';color:#22201c;">' + escapeHtml(v.nothing) + '</div></td></tr>';
  }
  for (const [i1, v1] of v.articles.entries()) {
    out += '<tr><td align="' + 'left' + s37 + 'left' + ';color:#22201c;"><div lang="' + escapeHtml(v1.lang) + '" dir="' + escapeHtml(v1.dir) + '" style="text-align:start;"> ';
    if (!(i1 === 0)) {
      out += s41;
    }
    out += ' ';
    if (filled(v1.image)) {
      if (filled(v1.url)) {
        out += '<a href="' + escapeHtml(v1.url) + '"><img src="' + escapeHtml(v1.image.url) + '" alt="' + escapeHtml(v1.image.alt) + s42;
      }
    }
    out += s43;
    if (filled(v1.url)) {
      out += '<a class="plain" href="' + escapeHtml(v1.url) + s11 + escapeHtml(v1.title) + '</a>';
    } else {
      out += escapeHtml(v1.title);
    }
    out += '</h2> <p lang="' + escapeHtml(v.lang) + s44;
    for (const [i2, v2] of v1.byline.entries()) {
      if (!(i2 === 0)) {
        out += ' &middot; ';
      }
      out += '<bdi>' + escapeHtml(v2) + '</bdi>';
    }
    out += '</p> ';
    if (filled(v1.html)) {
      out += ' <div class="body">' + v1.html + '</div> ';
    } else {
      out += ' ';
      if (filled(v1.summary)) {
        out += '<p style="margin:0;">' + escapeHtml(v1.summary) + '</p>';
      }
      out += ' ';
      if (filled(v1.url)) {
        out += '<a href="' + escapeHtml(v1.url) + '" lang="' + escapeHtml(v.lang) + s45 + escapeHtml(v.readOn) + '</a>';
      }
      out += ' ';
    }
    out += ' </div></div></td></tr>';
  }
  if (filled(v.also)) {
    out += '<tr><td align="' + 'left' + s46 + 'left' + s47 + escapeHtml(v.also.heading) + '</h2> ';
    for (const v1 of v.also.lines) {
      out += '<a class="plain" href="' + escapeHtml(v1.url) + s48 + escapeHtml(v1.text) + '</bdi></a>';
    }
    out += '</div></td></tr>';
  }
  if (filled(v.more)) {
    out += '<tr><td align="' + 'left' + s37 + 'left' + ';color:#22201c;"><a href="' + escapeHtml(v.more.url) + s49 + escapeHtml(v.more.text) + '</a></div></td></tr>';
  }
  out += s50 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s30 + 'left' + s31 + 'left' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'right' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export function digestRtl(v: DigestView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'rtl' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'rtl' + s6 + escapeHtml(v.preheader) + s7 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s9 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s10 + escapeHtml(v.home) + s11 + escapeHtml(v.publication) + s36;
  if (filled(v.digest)) {
    out += '<bdi>' + escapeHtml(v.digest) + '</bdi> &middot; ';
  }
  out += '<bdi>' + escapeHtml(v.issue) + '</bdi></p></div></td></tr>';
  if (filled(v.correction)) {
    out += '<tr><td align="' + 'right' + s37 + 'right' + s38 + 'right' + s39 + escapeHtml(v.correction.heading) + '</strong><br>' + escapeHtml(v.correction.reason) + ' </div></div></td></tr>';
  }
  if (filled(v.intro)) {
    out += '<tr><td align="' + 'right' + s40 + 'right' + ';color:#22201c;">';
    for (const v1 of v.intro) {
      out += '<p style="margin:0 0 16px;">' + escapeHtml(v1) + '</p>';
    }
    out += '</div></td></tr>';
  }
  if (filled(v.nothing)) {
    out += '<tr><td align="' + 'right' + s27 + 'right' + ';color:#22201c;">' + escapeHtml(v.nothing) + '</div></td></tr>';
  }
  for (const [i1, v1] of v.articles.entries()) {
    out += '<tr><td align="' + 'right' + s37 + 'right' + ';color:#22201c;"><div lang="' + escapeHtml(v1.lang) + '" dir="' + escapeHtml(v1.dir) + '" style="text-align:start;"> ';
    if (!(i1 === 0)) {
      out += s41;
    }
    out += ' ';
    if (filled(v1.image)) {
      if (filled(v1.url)) {
        out += '<a href="' + escapeHtml(v1.url) + '"><img src="' + escapeHtml(v1.image.url) + '" alt="' + escapeHtml(v1.image.alt) + s42;
      }
    }
    out += s43;
    if (filled(v1.url)) {
      out += '<a class="plain" href="' + escapeHtml(v1.url) + s11 + escapeHtml(v1.title) + '</a>';
    } else {
      out += escapeHtml(v1.title);
    }
    out += '</h2> <p lang="' + escapeHtml(v.lang) + s44;
    for (const [i2, v2] of v1.byline.entries()) {
      if (!(i2 === 0)) {
        out += ' &middot; ';
      }
      out += '<bdi>' + escapeHtml(v2) + '</bdi>';
    }
    out += '</p> ';
    if (filled(v1.html)) {
      out += ' <div class="body">' + v1.html + '</div> ';
    } else {
      out += ' ';
      if (filled(v1.summary)) {
        out += '<p style="margin:0;">' + escapeHtml(v1.summary) + '</p>';
      }
      out += ' ';
      if (filled(v1.url)) {
        out += '<a href="' + escapeHtml(v1.url) + '" lang="' + escapeHtml(v.lang) + s45 + escapeHtml(v.readOn) + '</a>';
      }
      out += ' ';
    }
    out += ' </div></div></td></tr>';
  }
  if (filled(v.also)) {
    out += '<tr><td align="' + 'right' + s46 + 'right' + s47 + escapeHtml(v.also.heading) + '</h2> ';
    for (const v1 of v.also.lines) {
      out += '<a class="plain" href="' + escapeHtml(v1.url) + s48 + escapeHtml(v1.text) + '</bdi></a>';
    }
    out += '</div></td></tr>';
  }
  if (filled(v.more)) {
    out += '<tr><td align="' + 'right' + s37 + 'right' + ';color:#22201c;"><a href="' + escapeHtml(v.more.url) + s49 + escapeHtml(v.more.text) + '</a></div></td></tr>';
  }
  out += s50 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s30 + 'right' + s31 + 'right' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'left' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export function noticeLtr(v: NoticeView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'ltr' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'ltr' + s6 + escapeHtml(v.preheader) + s7 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s9 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s30 + 'left' + s51 + 'left' + s52 + escapeHtml(v.home) + s53 + escapeHtml(v.publication) + s54 + 'left' + s13 + 'left' + s55 + escapeHtml(v.title) + '</h1> ';
  for (const v1 of v.paragraphs) {
    out += '<p style="margin:0 0 16px;">' + escapeHtml(v1) + '</p>';
  }
  out += '</div></td></tr>';
  if (filled(v.button)) {
    out += '<tr><td align="' + 'left' + s20 + escapeHtml(v.button.url) + s21 + escapeHtml(v.button.label) + s22 + 'left' + s56 + 'left' + s24 + escapeHtml(v.buttonHelp) + '<br><a href="' + escapeHtml(v.button.url) + s25 + escapeHtml(v.button.url) + '</a></p></div></td></tr>';
  }
  out += s50 + 'ltr' + s8 + 'left' + ';direction:' + 'ltr' + s30 + 'left' + s31 + 'left' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'right' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export function noticeRtl(v: NoticeView): string {
  let out = '';
  out += '<!doctype html><html lang="' + escapeHtml(v.lang) + '" dir="' + 'rtl' + s0 + escapeHtml(v.title) + s1 + 'left' + ':24px;padding-' + 'right' + s2 + 'ltr' + s3 + 'left' + ':20px!important;padding-' + 'right' + s4 + escapeHtml(v.title) + s5 + escapeHtml(v.lang) + '" dir="' + 'rtl' + s6 + escapeHtml(v.preheader) + s7 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s9 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s30 + 'right' + s51 + 'right' + s52 + escapeHtml(v.home) + s53 + escapeHtml(v.publication) + s54 + 'right' + s13 + 'right' + s55 + escapeHtml(v.title) + '</h1> ';
  for (const v1 of v.paragraphs) {
    out += '<p style="margin:0 0 16px;">' + escapeHtml(v1) + '</p>';
  }
  out += '</div></td></tr>';
  if (filled(v.button)) {
    out += '<tr><td align="' + 'right' + s20 + escapeHtml(v.button.url) + s21 + escapeHtml(v.button.label) + s22 + 'right' + s56 + 'right' + s24 + escapeHtml(v.buttonHelp) + '<br><a href="' + escapeHtml(v.button.url) + s25 + escapeHtml(v.button.url) + '</a></p></div></td></tr>';
  }
  out += s50 + 'rtl' + s8 + 'left' + ';direction:' + 'rtl' + s30 + 'right' + s31 + 'right' + s32 + escapeHtml(v.why) + s33;
  for (const v1 of v.links) {
    out += '<a href="' + escapeHtml(v1.url) + s34 + 'left' + ':20px;color:#8a1c2c;">' + escapeHtml(v1.text) + '</a> ';
  }
  out += '</p> ';
  if (filled(v.address)) {
    out += '<p style="margin:0;">';
    for (const [i1, v1] of v.address.entries()) {
      out += '<bdi>' + escapeHtml(v1) + '</bdi>';
      if (!(i1 === v.address.length - 1)) {
        out += '<br>';
      }
    }
    out += '</p>';
  }
  out += s35;
  return out;
}

export const pageCss: string = ":root{color-scheme:light dark;--paper: #fdfdfb;--ink: #18181b;--soft: #5a5a60;--hair: #d8d8d3;--tint: #f3f3ef;--accent: #a1142b;--serif: Charter, \"Bitstream Charter\", \"Sitka Text\", Cambria, \"Noto Serif\", serif;--sans: -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, sans-serif;--mono: ui-monospace, \"SF Mono\", \"Cascadia Mono\", Menlo, Consolas, \"Liberation Mono\", monospace;--measure: 62ch}[dir=rtl]{--slant: normal;--tight: 0em;--leading: 1.25}[dir=ltr]{--slant: italic;--tight: -.025em;--leading: 1.06}@media(prefers-color-scheme:dark){:root{--paper: #141416;--ink: #e9e8e4;--soft: #a6a6ab;--hair: #38383d;--tint: #1e1e21;--accent: #ff9d97}}*,:before,:after{box-sizing:border-box}html{background:var(--paper);color:var(--ink);font:clamp(1.0625rem,.975rem + .4vw,1.1875rem) / 1.6 var(--serif);-webkit-text-size-adjust:100%;text-size-adjust:100%;overflow-wrap:break-word}body{display:flex;flex-direction:column;max-width:78rem;min-height:100vh;margin:0 auto;padding:0 clamp(1.125rem,4vw,2.5rem)}main{flex:1;padding-block:clamp(1.75rem,5vw,3.5rem)}h1,h2,h3,h4,h5,h6{margin:0;font-size:1.125rem;font-weight:700;line-height:calc(var(--leading) + .1);letter-spacing:calc(var(--tight) / 2);text-wrap:balance}h1{font-size:clamp(2rem,5.5vw,3rem);line-height:var(--leading);letter-spacing:var(--tight)}h2{font-size:1.4375rem}p,ul,ol,dl,dd,figure,blockquote,pre{margin:0}ul,ol{padding:0;list-style:none}p{text-wrap:pretty}a{color:inherit;text-decoration:underline 1px var(--accent);text-underline-offset:.18em}a:hover{color:var(--accent)}a[aria-current]{text-decoration:underline 2px var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}img,video{max-width:100%;height:auto}code,pre{font-family:var(--mono);font-size:.86em}pre{overflow-x:auto;padding:1em 1.2em;background:var(--tint);line-height:1.5;tab-size:2}button{padding:.75rem 1.5rem;border:0;border-radius:3px;background:var(--ink);color:var(--paper);font:600 1rem / 1.4 var(--sans);cursor:pointer}button:hover{background:var(--accent)}.quiet{background:none;box-shadow:inset 0 0 0 1px var(--soft);color:var(--ink)}.quiet:hover{box-shadow:none;color:var(--paper)}input[type=email]{min-width:0;padding:.6875rem .875rem;border:1px solid var(--soft);border-radius:3px;background:var(--paper);color:var(--ink);font:1rem / 1.4 var(--sans)}input[type=checkbox]{flex:none;width:1.5rem;height:1.5rem;margin:0;accent-color:var(--accent)}[aria-invalid]{outline:2px solid var(--accent);outline-offset:0}label,legend{font:600 .9375rem / 1.6 var(--sans);letter-spacing:0}fieldset{min-width:0;margin:0;padding:0;border:0}legend{padding:0}.small{font:.8125rem / 1.5 var(--sans);letter-spacing:0}h2.small{font-weight:700}.soft{color:var(--soft)}.gap{margin-block-start:1rem}.row{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1.125rem;font-family:var(--sans)}.row>*{min-width:0}.row a,.more{display:inline-block;padding-block:.25rem}.ruled>*{padding-block:1rem;border-block-start:1px solid var(--hair)}.headline a{text-decoration:none}.standfirst a{color:var(--ink)}.headline a:hover{text-decoration:underline 2px var(--accent)}.kicker{margin-block-end:.75rem;color:var(--accent);font-weight:600}.quoted{padding-inline-start:1.25rem;border-inline-start:3px solid var(--accent);white-space:pre-line}.empty{color:var(--soft);font-style:var(--slant)}.kicker+h1{margin-block-start:0}.byline{margin-block-start:.625rem;color:var(--soft)}.byline :is(a,b){color:var(--ink);font-weight:600}.skip{position:absolute;inset-block-start:0;inset-inline-start:0;padding:.5rem 1rem;background:var(--ink);color:var(--paper);transform:translateY(-120%)}.skip:focus{transform:none}.fields>:where(:not(:first-child)){margin-block-start:1rem}.line{display:flex;flex-wrap:wrap;gap:.625rem}.line>input{flex:1 1 13rem}.line>button{flex:0 1 auto}.tick{display:flex;gap:.75rem;align-items:start}.tick:not(:first-of-type){margin-block-start:.875rem}legend+.tick{margin-block-start:.5rem}.tick>div{min-width:0}.choices{display:flex;flex-wrap:wrap;gap:.75rem}.notice{padding:.75rem 1rem;background:var(--tint);border-inline-start:3px solid var(--accent);font:.9375rem / 1.5 var(--sans)}.notice li a{display:inline-block;padding-block:.125rem}.fault{margin-block-end:.25rem;color:var(--accent);font:600 .875rem / 1.5 var(--sans)}.trap{position:absolute;width:1px;height:1px;overflow:hidden;-webkit-clip-path:inset(50%);clip-path:inset(50%)}.cf-turnstile{overflow-x:auto}.titles{padding-inline-start:1.25rem;border-inline-start:3px solid var(--accent);font-size:1.25rem;font-weight:700;line-height:1.4}.subscribe{padding:1.25rem clamp(1.125rem,3vw,1.75rem) 1.5rem;background:var(--tint);border-block-start:3px solid var(--ink)}.subscribe .kicker{margin-block-end:.25rem}.subscribe .about{margin-block-start:.375rem;line-height:1.45}.about .soft{font:.8125rem / 1.5 var(--sans)}.subscribe form{margin-block-start:1rem}.page>article+.subscribe,.ruled+.subscribe{margin-block:3rem}.masthead{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 1.5rem;padding-block:.5rem;border-block-start:5px solid var(--ink);border-block-end:1px solid var(--hair)}.name{font-weight:700;letter-spacing:calc(var(--tight) / 2)}.name a{display:inline-block;padding-block:.25rem}.name a,.kicker a,.sections a:not([aria-current]){text-decoration:none}.colophon{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem 1.5rem;padding-block:.875rem 2rem;border-block-start:1px solid var(--hair);color:var(--soft)}.nameplate{text-align:center}.nameplate:before{content:\"\";display:block;height:9px;border-block:5px solid var(--ink);border-block-end-width:1px}.nameplate h1{margin-block:clamp(1.25rem,4vw,2.25rem) .5rem;font-size:clamp(2.25rem,8.5vw,5rem);line-height:var(--leading);letter-spacing:var(--tight)}.motto{color:var(--soft);font-style:var(--slant);text-wrap:balance}.nameplate nav{margin-block-start:clamp(1.25rem,4vw,2rem);padding-block:.375rem;border-block:1px solid var(--ink);border-block-end-color:var(--hair)}.nameplate .row{justify-content:center}.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:2.5rem clamp(2rem,4vw,3.5rem)}.lead{padding-block-end:1.75rem}.lead h2{font-size:clamp(2rem,5vw,3.25rem);line-height:var(--leading);letter-spacing:var(--tight)}.summary{max-width:var(--measure);margin-block-start:.5rem;line-height:1.5}.lead .summary{margin-block-start:1rem;font-size:1.1875rem}.side{display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:2.25rem;font-size:.9375rem;line-height:1.45}.side section{padding-block-start:.625rem;border-block-start:1px solid var(--ink)}.side h2{margin-block-end:.25rem;font:700 .9375rem / 1.5 var(--sans);letter-spacing:0}.side .ruled>*{padding-block:.625rem}.side .ruled>:first-child{border:0}@media(min-width:48rem){.others .ruled{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));column-gap:clamp(2rem,4vw,3rem)}}@media(min-width:62rem){.columns{grid-template-columns:minmax(0,1fr) 19rem;grid-template-rows:auto auto 1fr;row-gap:0}.columns>.lead{grid-area:1 / 1 / 3 / 2}.columns>.others{grid-area:3 / 1 / 4 / 2}.columns>.subscribe{grid-area:1 / 2 / 2 / 3;margin-block-end:2.25rem;padding-inline:1.25rem}.columns>.side{grid-area:2 / 2 / 4 / 3}.columns:has(>.subscribe):not(:has(.picture))>.lead{grid-row:1 / 2}.columns:has(>.subscribe):not(:has(.picture))>.others{grid-row:2 / 4}.columns:has(>.subscribe):not(:has(.picture))>.subscribe{grid-row:1 / 3}.columns:has(>.subscribe):not(:has(.picture))>.side{grid-row:3 / 4}}.page{max-width:var(--measure);margin-inline:auto}.wide{max-width:48rem}.opening{margin-block-end:2rem}@media(min-width:62rem){.opening h1{margin-inline-end:-5rem}}.standfirst{margin-block-start:1rem;color:var(--soft);font-size:1.25rem;line-height:1.42}.correction{margin-block-start:1rem;padding:.75rem 1rem;background:var(--tint);border-inline-start:3px solid var(--accent);font:.9375rem / 1.5 var(--sans)}.picture{margin-block:1.5rem}.picture img{display:block;width:100%}.stack>:where(:not(:first-child)){margin-block-start:1.25rem}.steps{padding-inline-start:1.4em;list-style:decimal}.bullets{list-style:disc}.steps>li,.steps pre{margin-block-start:.5rem}.part{margin-block-start:2.5rem}.part>:where(:not(:first-child)){margin-block-start:.5rem}.part>:is(.ruled,.pairs){margin-block-start:.875rem}.pairs>div{display:grid;grid-template-columns:minmax(0,1fr);gap:0 1rem;padding-block:.375rem;border-block-start:1px solid var(--hair)}.pairs dt{font:600 .8125rem / 1.9 var(--sans)}.pairs dd{overflow-wrap:anywhere;font:.8125rem / 1.9 var(--mono)}@media(min-width:36rem){.pairs>div{grid-template-columns:var(--names, 6.5rem) minmax(0,1fr)}}.prose{-webkit-hyphens:auto;hyphens:auto}.byline+.prose{margin-block-start:1rem}.prose>:where(:not(:first-child)){margin-block-start:1.15em}.prose :is(h1,h2,h3,h4,h5,h6,table,code,pre){-webkit-hyphens:manual;hyphens:manual}.prose>:where(h1,h2,h3,h4,h5,h6):where(:not(:first-child)){margin-block-start:1.75em}.prose>:where(h1,h2,h3,h4,h5,h6)+:where(*){margin-block-start:.5em}.prose :is(ul,ol){padding-inline-start:1.4em}.prose ul{list-style:disc}.prose ol{list-style:decimal}.prose .contains-task-list{padding:0;list-style:none}.prose li:not(:first-child){margin-block-start:.4em}.prose li::marker{color:var(--soft)}.prose blockquote{padding-inline-start:1.25rem;border-inline-start:3px solid var(--accent);font-style:var(--slant)}.prose blockquote>:not(:first-child){margin-block-start:.5em}.prose hr{width:4rem;margin-block:2.5em;margin-inline:auto;border:0;border-block-start:1px solid var(--ink)}.prose :not(pre)>code{padding:.1em .3em;background:var(--tint)}.prose table{display:block;overflow-x:auto;border-collapse:collapse;font:.875rem / 1.45 var(--sans);font-variant-numeric:lining-nums tabular-nums}.prose :is(th,td){min-width:6.5rem;padding-block:.6em;padding-inline:0 1em;border-block-end:1px solid var(--hair);text-align:start;vertical-align:top}.prose thead th{border-block-end-color:var(--ink)}.prose figcaption{margin-block-start:.5em;color:var(--soft);font:.8125rem / 1.5 var(--sans)}.prose sup{line-height:0}.prose sup a{padding-inline:.25em;color:var(--accent);font:.75em var(--sans);text-decoration:none}.footnotes{color:var(--soft);font-size:.9375rem;line-height:1.5}.prose .footnotes hr{width:auto;margin-block:2.5rem 1rem;border-color:var(--hair)}.data-footnote-backref{padding-inline:.25em;font-family:var(--sans);text-decoration:none}.headers{--names: 12rem}.address{overflow-wrap:anywhere}.wrap{white-space:pre-wrap;overflow-wrap:anywhere}.frame{height:75vh;min-height:20rem;overflow:hidden;resize:vertical;border:1px solid var(--hair)}.frame iframe{display:block;width:100%;height:100%;border:0}@media print{:root{--paper: #fff;--ink: #000;--soft: #444;--hair: #bbb;--tint: #fff;--accent: #000}html{font-size:11pt}nav,form,.subscribe,.skip,.side,.follow,.colophon .row{display:none}h1,h2,h3{break-after:avoid}.opening h1{margin:0}.prose a[href^=http]:after{content:\" (\" attr(href) \")\";font-size:.8em;overflow-wrap:anywhere}.prose sup a[href^=http]:after,.footnotes .data-footnote-backref:after{content:\"\"}figure,blockquote,tr{break-inside:avoid}}";

export const pageCssHash: string = 'sha256-xm+gcl58I9VcBeQp4rKioYmqKz6Fb/7mTByev0b51zI=';
