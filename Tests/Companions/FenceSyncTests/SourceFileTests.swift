import FenceSync
import Foundation
import HTTP
import Settings
import Testing

@Suite struct SourceFileTests {
    private func problems(_ text: String) -> [String] {
        SourceFile.parse(Array(text.utf8), file: "f", name: "warehouses").problems
            .map(\.description)
    }

    @Test("The classic source is understood")
    func classic() throws {
        let text = """
            [Source]
            Type=odata
            URL=https://erp.example/sapgeo/SAPGeoService.xsodata
            EntitySet=GeoLocation
            EverySec=1h
            MaxRemove=20%
            [Auth]
            Type=basic
            User=GEOFENCE
            Password=@password
            [Fields]
            NotifyOnExit='yes'
            Metadata=Plant, Address/Country
            """
        let (settings, problems) = SourceFile.parse(
            Array(text.utf8), file: "f", name: "warehouses")
        #expect(problems == [])
        #expect(settings.kind == .odata)
        #expect(settings.everySeconds == 3600)
        #expect(settings.maxRemovePercent == 20)
        #expect(settings.idPrefix == "warehouses/")
        #expect(settings.auth.password == "password")
        let field = try #require(FieldMap.Field.named("NotifyOnExit"))
        #expect(settings.fields.origins[field] == .constant("yes"))
        #expect(settings.fields.metadata == [["Plant"], ["Address", "Country"]])
        #expect(settings.busName == "org.geofenced.Sync1.warehouses")
        #expect(FieldMap.origin("'\u{301}a'") == .constant("\u{301}a"))
    }

    @Test(
        "What is wrong is named with file and line",
        arguments: [
            (
                "[Source]\nURL=ftp://x",
                "f:2: URL: ftp://x: no http or https address without a password"
            ),
            (
                "[Source]\nURL=https://u:p@x/",
                "f:2: URL: no http or https address without a password"
            ),
            ("[Source]\nType=wfs", "f:2: Type: wfs: not one of odata, ogcapi, geojson"),
            ("[Source]\nTypo=1", "f:2: Typo: unknown key in [Source]"),
            ("[Typo]", "f:1: unknown section [Typo]"),
            ("[Source]\nMaxRemove=50", "f:2: MaxRemove: 50: not a percentage: 50%"),
            (
                "[Auth]\nPassword=secret",
                "f:2: Password: not the name of a credential: @NAME"
            ),
            ("[Auth]\nKey=@../x", "f:2: Key: not the name of a credential: @NAME"),
            ("[Source]\nEntitySet=G", "f: URL: is missing"),
            ("[Source]\nURL=https://x/", "f: EntitySet: is missing"),
            (
                "[Source]\nType=geojson\nURL=https://x/wfs?request=GetFeature&srsName=EPSG%3A27700",
                "f:3: URL: asks for coordinates in EPSG:27700, which is not WGS 84: convert them, as "
                    + "ogr2ogr -t_srs EPSG:4326 does"
            ),
            (
                "[Source]\nURL=https://x/\nType=geojson\nMode=nearby",
                "f:4: Mode: a document cannot be asked for what is nearby"
            ),
            (
                "[Source]\nURL=https://x/\nEntitySet=G\nVersion=2\n[Query]\nTrackChanges=yes",
                "f:6: TrackChanges: is for version 4 of OData only"
            ),
            (
                "[Source]\nURL=https://x/\nEntitySet=G\nMode=nearby\n[Query]\nTrackChanges=yes",
                "f:6: TrackChanges: what is nearby changes with the place"
            ),
            (
                "[Source]\nURL=https://x/\nEntitySet=G\n[Query]\nReachM=60km",
                "f:5: ReachM: 60km: out of range: from 1km to 50km"
            ),
            (
                "[Source]\nURL=https://x/\nEntitySet=G\n[Query]\nQueryGridDeg=wide",
                "f:5: QueryGridDeg: wide: not 0° to 10°"
            ),
            (
                "[Source]\nURL=http://erp.example/\nEntitySet=G\n[Auth]\nType=bearer\nToken=@t",
                "f:2: URL: credentials would be sent without encryption; use https"
            ),
            (
                "[Source]\nURL=https://x/\nEntitySet=G\n[Auth]\nType=basic bearer\nUser=u\n"
                    + "Password=@p\nToken=@t",
                "f:5: Type: only one of basic, bearer and oauth2"
            ),
        ])
    func flawed(_ text: String, _ problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test("Credentials to this machine need no encryption")
    func loopback() {
        let text =
            "[Source]\nURL=http://127.0.0.1:8080/\nEntitySet=G\n[Auth]\nType=bearer\nToken=@t"
        #expect(problems(text) == [])
    }

    @Test("Every key is in the manual page", arguments: SourceFile.keys)
    func manual(_ key: String) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/man/geofenced-sync.8").standardized
        let words = try String(contentsOf: page, encoding: .utf8)
            .split(whereSeparator: { " ,\n".contains($0) })
        #expect(words.contains(Substring(key)))
    }
}
