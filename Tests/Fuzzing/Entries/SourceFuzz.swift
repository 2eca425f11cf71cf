import FenceFiles
import FenceSync
import JSON
import Model

/// Answers of services of fences, the values in them, and the files that describe a source.
enum SourceFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        _ = ServerMessage.text(of: bytes)
        _ = SourceFile.parse(bytes, file: "f", name: "n")
        if let text = String(validating: bytes, as: UTF8.self),
            let geometry = try? WellKnownText.geometry(text),
            (try? JSONValue(parsing: geometry.text)) != geometry
        {
            return "well-known text that is no JSON: \(geometry.text)"
        }
        return page(bytes, .odata) ?? page(bytes, .features)
    }

    private static func page(_ bytes: [UInt8], _ shape: PageReader.Shape) -> String? {
        var map = FieldMap()
        if bytes.count % 2 == 1 {
            map.origins[.geometry] = .path(["Area"])
            map.metadata = [["Plant"], ["Place", "Name"]]
        }
        let writer = FeatureWriter(map, idPrefix: "p/", shape: shape)
        var flaw: String?
        var reader = PageReader(shape)
        var json = JSONReader(bytes, limits: PageReader.limits)
        _ = try? reader.read(&json) { entry, _ in
            if case .changed(let entity)? = try? DeltaEntry(entry, of: "Place", key: ["ID"]),
                (try? DeltaEntry(entity, of: "Place", key: ["ID"])) != .changed(entity)
            {
                flaw = "a change that is none when it has its key: \(entity.text)"
            }
            guard case .success(let feature) = writer.result(of: entry) else { return }
            let line = feature.line.dropLast()
            let value = try? JSONValue(parsing: Array(line))
            guard !line.contains(0x0A), value?["id"]?.string == feature.id,
                feature.id.hasPrefix("p/"), value?["geometry"] != nil
            else {
                flaw = "a line that is no Feature: \(String(decoding: line, as: UTF8.self))"
                return
            }
            // A set was checked when it was written; the daemon must accept it.
            do {
                let fence = try FenceFileReader(feature.line, name: "set").next()
                if fence?.id != feature.id { flaw = "a line that is another fence: \(feature.id)" }
            } catch { flaw = "a line that the daemon refuses: \(error)" }
        }
        return flaw
    }
}
