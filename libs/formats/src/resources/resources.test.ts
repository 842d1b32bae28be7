import { formatContract } from '../testing/contract';
import { wholeXml } from '../testing/readers';
import { flatXml, resourceDictionary, resx } from './keyed-xml';
import { ts } from './ts';

formatContract(ts, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'places, comments and data of their own',
        content: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="cs">
<context>
    <name>Main</name>
    <message id="x">
        <location filename="a.cpp" line="3"/>
        <source>One</source>
        <extracomment>why</extracomment>
        <translatorcomment>how</translatorcomment>
        <translation>Jedna</translation>
        <extra-loc>left</extra-loc>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <comment>count</comment>
        <translation><numerusform>a</numerusform><numerusform>b</numerusform></translation>
    </message>
    <message>
        <source>Last</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`,
      },
    ],
  },
  samples: [
    {
      name: 'contexts',
      content: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="cs_CZ">
<context>
    <name>Window</name>
    <message>
        <location filename="a.cpp" line="3"/>
        <source>It&apos;s &quot;x&quot;</source>
        <extracomment>why</extracomment>
        <translation type="unfinished">Je to</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>soubor</numerusform>
            <numerusform>soubory</numerusform>
        </translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="vanished">pryč</translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`,
      targets: [['Je to'], ['soubor', 'soubory'], ['']],
    },
  ],
  broken: [{ name: 'another root', content: '\n<html/>', line: 2 }],
  inverse: false,
});

formatContract(resx, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'comments and types',
        content: `<?xml version="1.0" encoding="utf-8"?>
<root>
  <data name="a" xml:space="preserve" type="System.String, mscorlib">
    <value>A &amp; b</value>
    <comment>why
  indented</comment>
  </data>
  <data name="b" ext:max="7" xmlns:ext="urn:ext"><value>B</value></data>
</root>
`,
      },
    ],
  },
  samples: [
    {
      name: 'texts and objects',
      content: `<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="version"><value>2.0</value></resheader>
  <data name="a" xml:space="preserve">
    <value>x &lt;b&gt;</value>
    <comment>why</comment>
  </data>
  <data name="icon" type="System.Drawing.Bitmap" mimetype="application/x-microsoft.net.object.bytearray.base64"><value>AAAA</value></data>
  <data name="e"><value/></data>
</root>
`,
      targets: [['x <b>'], ['']],
    },
  ],
});

formatContract(flatXml, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'attributes',
        content: '<root>\n  <str key="a" max="5">A</str>\n  <str note="n" key="b">B &amp; b</str>\n</root>\n',
      },
    ],
  },
  samples: [
    {
      name: 'strings',
      content: '<root>\n  <str key="a">x</str>\n  <str key="b">y &amp; z</str>\n</root>\n',
      targets: [['x'], ['y & z']],
    },
  ],
});

formatContract(resourceDictionary, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'attributes',
        content: `<ResourceDictionary xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:s="clr-namespace:System;assembly=mscorlib">
    <s:String x:Key="a" xml:space="preserve"> A </s:String>
    <s:String x:Key="b" x:Uid="7">B</s:String>
</ResourceDictionary>
`,
      },
    ],
  },
  samples: [
    {
      name: 'strings',
      content:
        '<ResourceDictionary xmlns:x="u" xmlns:s="clr-namespace:System;assembly=mscorlib">\n    <s:String x:Key="a" xml:space="preserve">x</s:String>\n    <Style x:Key="b"/>\n</ResourceDictionary>\n',
      targets: [['x']],
    },
  ],
});
