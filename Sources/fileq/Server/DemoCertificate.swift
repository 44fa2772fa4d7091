// SPDX-License-Identifier: MIT

/// The certificate of a server of the demonstration, for 127.0.0.1 and localhost, until 2126. No system trusts it.
/// Its key is public and protects nothing: what a demonstration trusts is forgotten with its folder.
enum DemoCertificate {
    static let chain = """
        -----BEGIN CERTIFICATE-----
        MIIBxTCCAWugAwIBAgIUBH3e2iI/ouQmNZ08bLjxonQ3kRQwCgYIKoZIzj0EAwIw
        KTETMBEGA1UECgwKZmlsZXEgZGVtbzESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2
        MTEzMDIwMjAzMFoYDzIxMjYxMTA2MjAyMDMwWjApMRMwEQYDVQQKDApmaWxlcSBk
        ZW1vMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AATojLhPbjehBvzILAR+am2N7P0X8YrjRTC1JSC9jLl9qEx5lJnstF5GpkBIpjBO
        /TGiVsV0WBYMDSucTs91wdX7o28wbTAdBgNVHQ4EFgQUvSF46tlQkCIz9Zw53IpX
        4VpD9f8wHwYDVR0jBBgwFoAUvSF46tlQkCIz9Zw53IpX4VpD9f8wDwYDVR0TAQH/
        BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIhAMNqlZBGyskCHUBqbRSGL2+dMeotZGsMiJdEOMFJ7r/eAiBck3Z7jUtB
        /YOgfewCEJMLbSayeQAA4lQT/OtotVLtpQ==
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgN2QkVSda+HNI59bE
        8HGTYJFcXZpu9+WE6KYrGHJugvqhRANCAATojLhPbjehBvzILAR+am2N7P0X8Yrj
        RTC1JSC9jLl9qEx5lJnstF5GpkBIpjBO/TGiVsV0WBYMDSucTs91wdX7
        -----END PRIVATE KEY-----
        """
}
