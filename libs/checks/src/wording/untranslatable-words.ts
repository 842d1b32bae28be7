/** Words that many languages spell as in English: technologies, formats, units, products and loanwords. */
export const UNTRANSLATABLE_WORDS: ReadonlySet<string> = new Set(
  (
    'aac admin amd android ansi apache api app apple ascii atom audio avatar avi backend bash ' +
    'beta bios bit bitcoin bits blog bluetooth bmp boot bot byte bytes cache captcha cc cd chat chrome cmyk codec commit ' +
    'cookie cookies cpu crc css csv ctrl daemon debian debug demo dhcp div dkim dll dns doc docker dpi dvd ' +
    'email emoji emoticon epub excel exif facebook faq fax firefox firewall firmware flac flash forum framework ' +
    'freebsd frontend ftp gb ghz gif git github gitlab gnome gnu google gpg gpl gps gpu gzip hd hdmi hertz ' +
    'hotel html http https hub hz icmp icon id ids imap info instagram internet ip ipad iphone ipod irc iso java ' +
    'javascript jpeg jpg json kb kde kernel khz kib latin libreoffice linkedin linux login logo lua mac macos mail ' +
    'markdown mastodon mb md5 media menu meta metadata mhz mib microsoft midi modem mozilla mp3 mp4 mpeg ms ' +
    'mysql net netbsd newsletter nginx node note ntp ocr ogg ok online openbsd opera oracle pal paypal pdf perl php ' +
    'pin ping pixel pixels plugin plugins png podcast pop3 popup postgresql proxy pub px python qr qt radio ram raw ' +
    'redis rgb root router rss rtf ruby samba sandbox screenshot script sd server sha shell slug smiley sms smtp ' +
    'snapshot snmp software solaris spam spdx spf sql ssh ssid ssl stdin stdout sudo svg sync synthesizer tb tcp ' +
    'telegram telnet thunderbird tiff token tsv ttl tv twitter ubuntu udp ui unicode unix uri url urls usb usenet ' +
    'utc utf uuid vat vcard vector version vga vhs video virus vlan voip vpn wav web webdav webhook webhooks website wi fi wiki ' +
    'wikipedia windows wireless wlan www xbox xml xmpp xz yahoo yaml youtube zip zlib zone zoom'
  ).split(' '),
);
