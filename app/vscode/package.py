#!/usr/bin/env python3
"""Writes the extension as a .vsix, which is a zip with a manifest: package.py OUT.vsix"""
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

FILES = ["package.json", "language-configuration.json", "extension.js", "client.js", "convert.js", "README.md"]
FOLDER = pathlib.Path(__file__).parent

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={id} Version={version} Publisher={publisher}/>
    <DisplayName>{name}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>Programming Languages</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def main():
    package = json.loads((FOLDER / "package.json").read_text())
    manifest = MANIFEST.format(
        id=quoteattr(package["name"]),
        version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]),
        engine=quoteattr(package["engines"]["vscode"]),
        name=escape(package["displayName"]),
        description=escape(package["description"]),
    )
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", manifest)
        for name in FILES:
            archive.write(FOLDER / name, "extension/" + name)


main()
